-- Counts the marked runs of every cell, of the loads from one on.
INSERT INTO flagged_cells
SELECT config_key, task_key, description_key, kind, count(*)
FROM run_flags
WHERE load_id >= ?
GROUP BY config_key, task_key, description_key, kind
