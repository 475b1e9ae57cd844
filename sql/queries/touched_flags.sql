-- The faults of runs that bear on a score, by cell, from the counts that
-- loading left: no run is touched. What is missing altogether is the policies'
-- business and not told twice.
SELECT k.kind, k.says, c.model || '/' || c.cli AS config, t.benchmark, t.task, d.description, CAST(sum(f.runs) AS BIGINT) AS runs
FROM flagged_cells AS f
JOIN issue_kinds AS k ON k.kind = f.kind
JOIN config_keys AS c ON c.config_key = f.config_key
JOIN task_keys AS t ON t.task_key = f.task_key
JOIN description_keys AS d ON d.description_key = f.description_key
WHERE k.severity <> 'note' AND NOT starts_with(k.kind, 'missing_') AND NOT starts_with(k.effect, 'none')
GROUP BY ALL
ORDER BY list_position(['error', 'warning'], any_value(k.severity)), k.kind, config
