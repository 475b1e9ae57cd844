-- One row a configuration and benchmark: how much of it was run under the
-- description original. Key: config, benchmark.
--
-- config: model/cli
-- benchmark: suite
-- tasks: tasks of the suite that any configuration ran
-- run_tasks: those that this configuration ran
-- missing_tasks: those that it did not
-- runs: its runs
-- scored_runs: those with a reward
WITH original AS (
    SELECT c.canonical_key AS config_key, t.canonical_key AS task_key, count(*) AS runs, count(r.reward) AS scored_runs
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    JOIN description_keys AS d ON d.description_key = r.description_key
    WHERE d.description = 'original'
    GROUP BY c.canonical_key, t.canonical_key
),
suites AS (
    SELECT t.benchmark, count(DISTINCT o.task_key) AS tasks
    FROM original AS o
    JOIN task_keys AS t ON t.task_key = o.task_key
    GROUP BY t.benchmark
),
ran AS (
    SELECT o.config_key, t.benchmark, count(*) AS run_tasks, sum(o.runs) AS runs, sum(o.scored_runs) AS scored_runs
    FROM original AS o
    JOIN task_keys AS t ON t.task_key = o.task_key
    GROUP BY o.config_key, t.benchmark
)
SELECT
    c.model || '/' || c.cli AS config,
    s.benchmark,
    s.tasks,
    coalesce(ran.run_tasks, 0) AS run_tasks,
    s.tasks - coalesce(ran.run_tasks, 0) AS missing_tasks,
    CAST(coalesce(ran.runs, 0) AS BIGINT) AS runs,
    CAST(coalesce(ran.scored_runs, 0) AS BIGINT) AS scored_runs
FROM (SELECT DISTINCT config_key FROM original) AS o
CROSS JOIN suites AS s
JOIN config_keys AS c ON c.config_key = o.config_key
LEFT JOIN ran ON ran.config_key = o.config_key AND ran.benchmark = s.benchmark
