-- The cells of one description for the heat map of the report, in scope. Key:
-- config, benchmark, task.
SELECT config, benchmark, task, runs, counted_runs, reward, masked_reward, failure_rate, cost_usd, missing_cost
FROM cells
WHERE description = ?
ORDER BY config, benchmark, task
