-- The runs of one description for the drill-down of the report, in scope, the
-- order being that of the data and not of the load.
SELECT
    m.config, m.benchmark, m.task, r.run_id, r.attempt, m.reward, m.cost_usd, r.cost_source,
    m.budget_level, m.masked_reward, m.expensive_failure, m.counts, r.total_tokens, r.steps, r.status
FROM masked_runs AS m
JOIN runs AS r ON r.run_id = m.run_id
WHERE m.description = ?
ORDER BY m.config, m.benchmark, m.task, r.attempt, r.run_id
