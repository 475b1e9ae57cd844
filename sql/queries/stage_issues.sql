-- The view flag_sums as a table, part by part.
DROP VIEW temp.flag_sums;
CREATE TEMP TABLE flag_sums AS
SELECT config_key, kind, count(*) AS runs, min(run_id) AS example_run_id FROM run_flags GROUP BY config_key, kind;
INSERT INTO flag_sums
SELECT config_key, kind, count(*), min(run_id) FROM far_runs GROUP BY config_key, kind;
INSERT INTO flag_sums
SELECT config_key, kind, count(*), min(run_id) FROM twin_runs GROUP BY config_key, kind;
