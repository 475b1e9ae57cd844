-- One row a task that has runs. Key: benchmark, task.
--
-- benchmark: suite
-- task: task id within its suite
-- runs: runs of any configuration and description
-- configs: configurations that ran it
-- descriptions: wordings that were run
SELECT
    t.benchmark,
    t.task,
    count(*) AS runs,
    count(DISTINCT c.canonical_key) AS configs,
    count(DISTINCT r.description_key) AS descriptions
FROM stored_runs AS r
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN config_keys AS c ON c.config_key = r.config_key
GROUP BY t.benchmark, t.task
