-- How many runs report_runs gives.
SELECT count(*)
FROM masked_runs
WHERE description = ?
