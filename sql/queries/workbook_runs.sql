-- The runs of one configuration under one description on the tasks in scope, in
-- the order of the workbook's rows, each with what the calibration and the
-- policies make of it. Figures of a run that does not count are NULL.
-- Parameters: description, model, cli.
--
-- attempt is numbered as in the view runs: a cell's runs are all here.
SELECT
    t.benchmark, t.task, s.stratum,
    CAST(coalesce(
        r.attempt,
        coalesce(max(r.attempt) OVER (PARTITION BY r.task_key), 0)
        + row_number() OVER (PARTITION BY r.task_key, r.attempt IS NULL ORDER BY r.run_id)
    ) AS BIGINT) AS attempt,
    r.run_id,
    r.reward,
    coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd,
    CASE
        WHEN r.reported_cost_usd IS NOT NULL THEN coalesce(r.cost_source, 'reported')
        WHEN r.priced_cost_usd IS NOT NULL THEN 'priced'
    END AS cost_source,
    run_counts(r.reward, coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS counts,
    CAST(stratum_budget_level(s.stratum, coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS BIGINT) AS budget_level,
    CASE WHEN run_counts(r.reward, coalesce(r.reported_cost_usd, r.priced_cost_usd)) THEN
        run_reward(r.reward) * stratum_budget_level(s.stratum, coalesce(r.reported_cost_usd, r.priced_cost_usd))
            / stratum_budgets(s.stratum) END AS masked_reward,
    CASE WHEN run_counts(r.reward, coalesce(r.reported_cost_usd, r.priced_cost_usd)) THEN
        stratum_expensive_failure(s.stratum, run_reward(r.reward), coalesce(r.reported_cost_usd, r.priced_cost_usd)) END AS expensive_failure,
    r.total_tokens, r.steps, r.started_at, r.finished_at, r.status, r.cli_version
FROM stored_runs AS r
JOIN scope_tasks AS s ON s.task_key = r.task_key
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN description_keys AS d ON d.description_key = r.description_key
WHERE d.description = ? AND c.model = ? AND c.cli = ?
ORDER BY s.stratum, t.benchmark, t.task, r.run_id
