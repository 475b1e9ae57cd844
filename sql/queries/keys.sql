-- The names behind the numbers of tasks, configurations and descriptions, each
-- kind by its number, in one question.
SELECT kind, first, second, raw
FROM (
    SELECT 'task' AS kind, task_key AS number, benchmark AS first, task AS second, raw_task AS raw FROM task_keys
    UNION ALL
    SELECT 'config', config_key, model, cli, '' FROM config_keys
    UNION ALL
    SELECT 'description', description_key, description, '', '' FROM description_keys
)
ORDER BY kind, number
