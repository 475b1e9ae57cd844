-- One row a run on a task of the task set in scope, with its masked reward and
-- failure mark under the calibration in scope. Key: run_id.
--
-- run_id: identity of the run
-- benchmark: suite
-- task: task id within its suite
-- config: model/cli
-- description: the wording that was run
-- stratum: the task's stratum
-- reward: the evaluator's verdict; NULL = none given
-- cost_usd: cost in force; NULL = unknown
-- budget_level: how many of the stratum's budgets the cost does not exceed
-- budgets: how many budgets the stratum has
-- masked_reward: reward · budget_level / budgets; a missing reward is 0 where the policy says so
-- expensive_failure: no reward at a cost strictly above the stratum's threshold
-- counts: whether the policies in scope let the run count
SELECT
    r.run_id, t.benchmark, t.task,
    c.model || '/' || c.cli AS config,
    d.description,
    ['Easy', 'Medium', 'Hard'][s.stratum + 1] AS stratum,
    r.reward,
    coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd,
    stratum_budget_level(s.stratum, coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS budget_level,
    stratum_budgets(s.stratum) AS budgets,
    run_reward(r.reward) * stratum_budget_level(s.stratum, coalesce(r.reported_cost_usd, r.priced_cost_usd)) / stratum_budgets(s.stratum) AS masked_reward,
    stratum_expensive_failure(s.stratum, run_reward(r.reward), coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS expensive_failure,
    run_counts(r.reward, coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS counts
FROM stored_runs AS r
JOIN scope_tasks AS s ON s.task_key = r.task_key
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN description_keys AS d ON d.description_key = r.description_key
