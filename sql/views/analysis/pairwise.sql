-- One row a description and pair of configurations, compared on the tasks that
-- both ran, for the task set, calibration and policies in scope. The exact test
-- is McNemar's where every cell is one attempt with reward 0 or 1, and is left
-- NULL elsewhere: amdb compare gives intervals. Section 5.6. Key: description,
-- config_a, config_b.
--
-- description: the wording that was run
-- config_a: the first by name
-- config_b: the second by name
-- shared_tasks: tasks that both ran
-- wins_a: tasks at which the reward of config_a is higher
-- wins_b: tasks at which the reward of config_b is higher
-- ties: tasks with equal rewards, at 12 decimals
-- reward_difference: mean reward of config_a less that of config_b
-- one_binary: whether every shared cell is one attempt with reward 0 or 1
-- p: exact two-sided p; NULL where not one_binary, or no task was won by one alone
-- p_holm: p adjusted by Holm over all pairs of the description that have one
WITH named AS (
    SELECT DISTINCT model || '/' || cli AS config, dense_rank() OVER (ORDER BY model || '/' || cli) AS place
    FROM config_keys
),
tested AS (
    SELECT *, CASE WHEN one_binary THEN mcnemar_exact(wins_a, wins_b) END AS p
    FROM pair_sums
),
adjusted AS ( -- Holm's step-down, as the function holm: one pass over the sorted family
    SELECT
        *,
        CASE WHEN p IS NOT NULL THEN
            least(1, max((family - below) * p) OVER (PARTITION BY description_key, p IS NULL ORDER BY p)) END AS p_holm
    FROM (
        SELECT
            *,
            count(p) OVER (PARTITION BY description_key) AS family,
            rank() OVER (PARTITION BY description_key, p IS NULL ORDER BY p) - 1 AS below
        FROM tested
    )
)
SELECT
    d.description, a.config AS config_a, b.config AS config_b, t.shared_tasks, t.wins_a, t.wins_b,
    t.shared_tasks - t.wins_a - t.wins_b AS ties,
    CAST(abs(t.units) AS DOUBLE) * sign(t.units) / 1152921504606846976.0 / t.shared_tasks AS reward_difference,
    t.one_binary, t.p, t.p_holm
FROM adjusted AS t
JOIN description_keys AS d ON d.description_key = t.description_key
JOIN named AS a ON a.place = t.a
JOIN named AS b ON b.place = t.b
