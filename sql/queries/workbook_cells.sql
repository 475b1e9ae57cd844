-- The cells of one description in scope, in the order of the workbook's rows:
-- how many runs each has, how many of them count, and their means. A mean is
-- NULL where no run counts. Parameter: description.
SELECT
    config, benchmark, task, stratum,
    CAST(runs AS BIGINT) AS runs,
    CAST(counted_runs AS BIGINT) AS counted_runs,
    reward, masked_reward, failure_rate
FROM cells
WHERE description = ?
ORDER BY config, list_position(['Easy', 'Medium', 'Hard'], stratum), benchmark, task
