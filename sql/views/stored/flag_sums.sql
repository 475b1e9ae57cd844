-- One row a configuration and fault of runs, with how often it stands in
-- run_flags and run_outliers. Key: config_key, kind.
--
-- config_key: → config_keys
-- kind: → issue_kinds
-- runs: how many runs have the fault
-- example_run_id: the first of them by run_id
SELECT config_key, kind, count(*) AS runs, min(run_id) AS example_run_id
FROM (
    SELECT config_key, kind, run_id FROM run_flags
    UNION ALL
    SELECT config_key, kind, run_id FROM run_outliers
)
GROUP BY config_key, kind
