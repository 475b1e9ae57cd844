-- The aliases with the runs that each names.
WITH named AS (
    SELECT c.raw_model, c.raw_cli, t.benchmark, t.raw_task, count(*) AS runs
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    GROUP BY c.raw_model, c.raw_cli, t.benchmark, t.raw_task
)
SELECT a.kind, a.benchmark, a.raw, a.name, CAST(coalesce(sum(n.runs), 0) AS BIGINT) AS runs
FROM aliases AS a
LEFT JOIN named AS n ON a.kind = 'model' AND n.raw_model = a.raw
    OR a.kind = 'cli' AND n.raw_cli = a.raw
    OR a.kind = 'task' AND n.raw_task = a.raw AND a.benchmark IN ('', n.benchmark)
GROUP BY a.kind, a.benchmark, a.raw, a.name
ORDER BY list_position(['model', 'cli', 'task'], a.kind), a.name, a.benchmark, a.raw
