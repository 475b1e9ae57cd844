-- One row a run and fault that shows only beside the other runs: far out of
-- their pattern (far_runs), or the same once more (twin_runs). Key: run_id, kind.
--
-- run_id: identity of the run
-- config_key: → config_keys
-- task_key: → task_keys
-- description_key: → description_keys
-- kind: cost_outlier, tokens_per_step_outlier or duplicate_run
SELECT run_id, config_key, task_key, description_key, kind FROM far_runs
UNION ALL
SELECT run_id, config_key, task_key, description_key, kind FROM twin_runs
