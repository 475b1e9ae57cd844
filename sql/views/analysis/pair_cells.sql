-- One row a cell that counts, as numbers, for pairwise. Key: description_key,
-- task_key, place.
--
-- description_key: → description_keys
-- task_key: → task_keys, canonical
-- place: the configuration's place among all names
-- units: mean reward · 2⁶⁰
-- rounded: mean reward at 12 decimals
-- one_binary: whether the cell is one attempt with reward 0 or 1
WITH places AS (
    SELECT config_key, dense_rank() OVER (ORDER BY model || '/' || cli) AS place
    FROM config_keys
),
means AS (
    SELECT s.description_key, s.task_key, p.place, s.counted_runs, cell_reward(s.reward_q60, s.counted_runs) AS reward
    FROM cell_sums AS s
    JOIN places AS p ON p.config_key = s.config_key
    WHERE s.counted_runs > 0
)
SELECT
    description_key, task_key, CAST(place AS INTEGER) AS place,
    cell_units(reward) AS units, round(reward, 12) AS rounded, counted_runs = 1 AND reward IN (0, 1) AS one_binary
FROM means
