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
WITH duels AS (
    SELECT
        a.description, a.config AS config_a, b.config AS config_b, a.benchmark, a.task,
        a.reward AS reward_a, b.reward AS reward_b,
        round(a.reward, 12) AS rounded_a, round(b.reward, 12) AS rounded_b,
        a.counted_runs = 1 AND b.counted_runs = 1 AND a.reward IN (0, 1) AND b.reward IN (0, 1) AS one_binary
    FROM cells AS a
    JOIN cells AS b ON b.description = a.description AND b.benchmark = a.benchmark AND b.task = a.task AND b.config > a.config
    WHERE a.counted_runs > 0 AND b.counted_runs > 0
),
counts AS (
    SELECT
        description, config_a, config_b,
        count(*) AS shared_tasks,
        count(*) FILTER (WHERE rounded_a > rounded_b) AS wins_a,
        count(*) FILTER (WHERE rounded_a < rounded_b) AS wins_b,
        count(*) FILTER (WHERE rounded_a = rounded_b) AS ties,
        mean_in_order(list(reward_a - reward_b ORDER BY benchmark, task)) AS reward_difference,
        bool_and(one_binary) AS one_binary
    FROM duels
    GROUP BY description, config_a, config_b
),
tested AS (
    SELECT *, CASE WHEN one_binary THEN mcnemar_exact(wins_a, wins_b) END AS p
    FROM counts
),
families AS (
    SELECT description, list(p ORDER BY p) AS family
    FROM tested
    WHERE p IS NOT NULL
    GROUP BY description
)
SELECT
    t.description, t.config_a, t.config_b, t.shared_tasks, t.wins_a, t.wins_b, t.ties, t.reward_difference, t.one_binary, t.p,
    holm(t.p, f.family) AS p_holm
FROM tested AS t
LEFT JOIN families AS f ON f.description = t.description
