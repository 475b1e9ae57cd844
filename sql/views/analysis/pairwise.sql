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
WITH counted AS (
    SELECT
        description, config, benchmark, task, reward, round(reward, 12) AS rounded,
        counted_runs = 1 AND reward IN (0, 1) AS one_binary
    FROM cells
    WHERE counted_runs > 0
),
-- One list a configuration, its places the tasks in order, NULL where it lacks
-- the cell: a pair is then two lists and not a row a task.
lined AS (
    SELECT
        c.description, c.config,
        list(d.reward ORDER BY t.place) AS rewards,
        list(d.rounded ORDER BY t.place) AS rounded,
        list(d.one_binary ORDER BY t.place) AS one_binary
    FROM (SELECT DISTINCT description, config FROM counted) AS c
    JOIN (
        SELECT description, benchmark, task, row_number() OVER (PARTITION BY description ORDER BY benchmark, task) AS place
        FROM (SELECT DISTINCT description, benchmark, task FROM counted)
    ) AS t ON t.description = c.description
    LEFT JOIN counted AS d ON d.description = c.description AND d.config = c.config AND d.benchmark = t.benchmark AND d.task = t.task
    GROUP BY c.description, c.config
),
duels AS (
    SELECT
        a.description, a.config AS config_a, b.config AS config_b,
        list_zip(a.rounded, b.rounded) AS rounded,
        list_filter(list_transform(list_zip(a.rewards, b.rewards), lambda x: x[1] - x[2]), lambda x: x IS NOT NULL) AS differences,
        list_transform(list_zip(a.one_binary, b.one_binary), lambda x: CASE WHEN x[1] IS NOT NULL AND x[2] IS NOT NULL THEN x[1] AND x[2] END) AS one_binary
    FROM lined AS a
    JOIN lined AS b ON b.description = a.description AND b.config > a.config
),
counts AS (
    SELECT
        description, config_a, config_b,
        len(differences) AS shared_tasks,
        len(list_filter(rounded, lambda x: x[1] > x[2])) AS wins_a,
        len(list_filter(rounded, lambda x: x[1] < x[2])) AS wins_b,
        len(list_filter(rounded, lambda x: x[1] = x[2])) AS ties,
        mean_in_order(differences) AS reward_difference,
        list_bool_and(one_binary) AS one_binary
    FROM duels
    WHERE len(differences) > 0
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
