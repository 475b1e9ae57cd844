-- One row a description and pair of configurations with a shared task: what
-- pairwise is made of, as numbers. All that is held beside the cells is a row a
-- pair. Key: description_key, a, b.
--
-- description_key: → description_keys
-- a: place of the first configuration by name
-- b: place of the second
-- shared_tasks: tasks that both ran
-- wins_a: tasks at which the reward of a is higher, at 12 decimals
-- wins_b: tasks at which the reward of b is higher
-- units: sum of the differences of mean rewards, a less b, · 2⁶⁰
-- one_binary: whether every shared cell is one attempt with reward 0 or 1
WITH counted AS MATERIALIZED (
    SELECT * FROM pair_cells
)
SELECT
    a.description_key, a.place AS a, b.place AS b,
    count(*) AS shared_tasks,
    count(*) FILTER (WHERE a.rounded > b.rounded) AS wins_a,
    count(*) FILTER (WHERE a.rounded < b.rounded) AS wins_b,
    sum(a.units - b.units) AS units,
    bool_and(a.one_binary AND b.one_binary) AS one_binary
FROM counted AS a
JOIN counted AS b ON b.description_key = a.description_key AND b.task_key = a.task_key AND b.place > a.place
GROUP BY a.description_key, a.place, b.place
