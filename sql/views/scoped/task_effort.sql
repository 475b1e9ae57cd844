-- One row a reference task of every calibration, its ranks and effort computed
-- anew from the frozen medians by the method's own functions. Key: calibration,
-- benchmark, task. The frozen values stand in the table calibration_tasks.
--
-- calibration: its name
-- benchmark: suite
-- task: task id within its suite
-- median_tokens: median over the reference configurations
-- median_steps: median over the reference configurations
-- zero_rate: mean share of attempts with reward 0
-- q_tokens: percentile rank of median_tokens; NULL where the term was left out
-- q_steps: percentile rank of median_steps; NULL where the term was left out
-- q_zero: percentile rank of zero_rate; NULL where the term was left out
-- effort: mean of the ranks
-- effort_rank: 1 = least effort, ties broken as section 2.4 says
-- stratum: Easy, Medium or Hard, as frozen
WITH ranked AS (
    SELECT
        t.calibration, t.benchmark, t.task, t.median_tokens, t.median_steps, t.zero_rate, t.effort_rank, t.stratum,
        CASE WHEN t.q_tokens IS NOT NULL THEN
            percentile_rank(t.median_tokens, list(t.median_tokens) OVER whole, c.percentile) END AS q_tokens,
        CASE WHEN t.q_steps IS NOT NULL THEN
            percentile_rank(t.median_steps, list(t.median_steps) OVER whole, c.percentile) END AS q_steps,
        CASE WHEN t.q_zero IS NOT NULL THEN
            percentile_rank(t.zero_rate, list(t.zero_rate) OVER whole, c.percentile) END AS q_zero
    FROM calibration_tasks AS t
    JOIN calibrations AS c ON c.name = t.calibration
    WINDOW whole AS (PARTITION BY t.calibration)
)
SELECT
    calibration, benchmark, task, median_tokens, median_steps, zero_rate, q_tokens, q_steps, q_zero,
    effort([q_tokens, q_steps, q_zero]) AS effort,
    effort_rank, stratum
FROM ranked
