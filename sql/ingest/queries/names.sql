-- The names in force, from the aliases, and which keys count as one. A task's
-- alias for its own suite goes before one for all.
UPDATE task_keys
SET task = coalesce(n.name, task_keys.raw_task)
FROM (
    SELECT t.task_key, coalesce(own.name, every.name) AS name
    FROM task_keys AS t
    LEFT JOIN aliases AS own ON own.kind = 'task' AND own.benchmark <> '' AND own.benchmark = t.benchmark AND own.raw = t.raw_task
    LEFT JOIN aliases AS every ON every.kind = 'task' AND every.benchmark = '' AND every.raw = t.raw_task
) AS n
WHERE n.task_key = task_keys.task_key;

UPDATE config_keys
SET model = coalesce(n.model, config_keys.raw_model), cli = coalesce(n.cli, config_keys.raw_cli)
FROM (
    SELECT c.config_key, m.name AS model, a.name AS cli
    FROM config_keys AS c
    LEFT JOIN aliases AS m ON m.kind = 'model' AND m.raw = c.raw_model
    LEFT JOIN aliases AS a ON a.kind = 'cli' AND a.raw = c.raw_cli
) AS n
WHERE n.config_key = config_keys.config_key;

UPDATE task_keys
SET canonical_key = n.canonical_key
FROM (SELECT benchmark, task, min(task_key) AS canonical_key FROM task_keys GROUP BY benchmark, task) AS n
WHERE n.benchmark = task_keys.benchmark AND n.task = task_keys.task;

UPDATE config_keys
SET canonical_key = n.canonical_key
FROM (SELECT model, cli, min(config_key) AS canonical_key FROM config_keys GROUP BY model, cli) AS n
WHERE n.model = config_keys.model AND n.cli = config_keys.cli;
