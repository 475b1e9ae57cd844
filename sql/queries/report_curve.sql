-- The budget–quality curves of one description, in scope. Key: config, stratum,
-- level.
SELECT config, stratum, CAST(level AS BIGINT) AS level, tasks, quality
FROM budget_curve
WHERE description = ?
ORDER BY config, stratum, level
