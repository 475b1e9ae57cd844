-- The known costs of the reference executions by stratum, and whether each got
-- a reward; what budgets and thresholds are made from. NULL rewards are left to
-- the policy.
SELECT
    s.stratum,
    r.reward IS NULL AS missing,
    coalesce(r.reward > 0, false) AS rewarded,
    coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd
FROM stored_runs AS r
JOIN description_keys AS d ON d.description_key = r.description_key AND d.description = 'original'
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN study_tasks AS s ON s.task_key = t.canonical_key
JOIN config_keys AS k ON k.config_key = r.config_key
JOIN study_configs AS c ON c.config_key = k.canonical_key
WHERE coalesce(r.reported_cost_usd, r.priced_cost_usd) IS NOT NULL
