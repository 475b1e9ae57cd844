-- Counts the marked runs of every cell anew.
DELETE FROM flagged_cells;

INSERT INTO flagged_cells
SELECT config_key, task_key, description_key, kind, count(*)
FROM run_flags
GROUP BY config_key, task_key, description_key, kind;
