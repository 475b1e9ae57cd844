-- One row a run and figure that is far out of the pattern of its like. Key:
-- run_id, kind. run_outliers has these and the twins.
--
-- Far is a robust z, 0.6745·|x − median|/MAD, beyond 6 and at least a factor of
-- 4 off the median, among 20 runs or more. x is a logarithm in whole 1/1024
-- (a tenth of a percent): so medians come from counts, exactly, and any number
-- of runs needs little memory.
--
-- run_id: identity of the run
-- config_key: → config_keys
-- task_key: → task_keys
-- description_key: → description_keys
-- kind: cost_outlier or tokens_per_step_outlier
WITH suites AS (
    SELECT task_key, min(task_key) OVER (PARTITION BY benchmark) AS suite FROM task_keys
),
-- Cost a token is a property of the model; where no tokens are known, a
-- configuration's costs within one suite are compared with each other. Read twice
-- rather than kept: it is as many rows as there are runs.
measured AS NOT MATERIALIZED (
    SELECT
        run_id, config_key, task_key, description_key, 'cost by model' AS what, 0 AS suite,
        CAST(round(1024 * ln(coalesce(reported_cost_usd, priced_cost_usd) / total_tokens)) AS INTEGER) AS x
    FROM stored_runs
    WHERE coalesce(reported_cost_usd, priced_cost_usd) > 0 AND total_tokens > 0
    UNION ALL
    SELECT
        r.run_id, r.config_key, r.task_key, r.description_key, 'cost by suite', s.suite,
        CAST(round(1024 * ln(coalesce(r.reported_cost_usd, r.priced_cost_usd))) AS INTEGER)
    FROM stored_runs AS r
    JOIN suites AS s ON s.task_key = r.task_key
    WHERE coalesce(r.reported_cost_usd, r.priced_cost_usd) > 0 AND r.total_tokens IS NULL
    UNION ALL
    SELECT
        run_id, config_key, task_key, description_key, 'steps', 0,
        CAST(round(1024 * ln(total_tokens / steps)) AS INTEGER)
    FROM stored_runs
    WHERE total_tokens > 0 AND steps > 0
),
-- Who is compared with whom.
peers AS (
    SELECT config_key, 'cost by model' AS what, min(config_key) OVER (PARTITION BY model) AS peer FROM config_keys
    UNION ALL
    SELECT config_key, 'cost by suite', canonical_key FROM config_keys
    UNION ALL
    SELECT config_key, 'steps', canonical_key FROM config_keys
),
counts AS (
    SELECT m.what, p.peer, m.suite, m.x, sum(m.runs) AS runs
    FROM (SELECT what, config_key, suite, x, count(*) AS runs FROM measured GROUP BY what, config_key, suite, x) AS m
    JOIN peers AS p ON p.what = m.what AND p.config_key = m.config_key
    GROUP BY m.what, p.peer, m.suite, m.x
),
-- A median is the mean of the lower and the upper middle: their sum is kept, so
-- that all stay whole numbers.
ranked AS (
    SELECT
        what, peer, suite, x, runs,
        sum(runs) OVER (PARTITION BY what, peer, suite ORDER BY x) AS upto,
        sum(runs) OVER (PARTITION BY what, peer, suite) AS total
    FROM counts
),
middles AS (
    SELECT what, peer, suite, min(x) FILTER (WHERE 2 * upto >= total) + min(x) FILTER (WHERE 2 * upto > total) AS middle2
    FROM ranked
    WHERE total >= 20
    GROUP BY what, peer, suite
),
offs AS (
    SELECT c.what, c.peer, c.suite, d.middle2, abs(2 * c.x - d.middle2) AS off2, sum(c.runs) AS runs
    FROM counts AS c
    JOIN middles AS d ON d.what = c.what AND d.peer = c.peer AND d.suite = c.suite
    GROUP BY c.what, c.peer, c.suite, d.middle2, off2
),
ranked_offs AS (
    SELECT
        what, peer, suite, middle2, off2,
        sum(runs) OVER (PARTITION BY what, peer, suite ORDER BY off2) AS upto,
        sum(runs) OVER (PARTITION BY what, peer, suite) AS total
    FROM offs
),
patterns AS (
    SELECT what, peer, suite, middle2, min(off2) FILTER (WHERE 2 * upto >= total) + min(off2) FILTER (WHERE 2 * upto > total) AS mad4
    FROM ranked_offs
    GROUP BY what, peer, suite, middle2
),
far AS (
    SELECT p.config_key, p.what, f.suite, f.middle2, greatest(2048 * ln(4), 6 / 0.6745 * f.mad4 / 2) AS least2
    FROM patterns AS f
    JOIN peers AS p ON p.what = f.what AND p.peer = f.peer
)
SELECT m.run_id, m.config_key, m.task_key, m.description_key, CASE m.what WHEN 'steps' THEN 'tokens_per_step_outlier' ELSE 'cost_outlier' END AS kind
FROM measured AS m
JOIN far AS f ON f.config_key = m.config_key AND f.what = m.what AND f.suite = m.suite
WHERE abs(2 * m.x - f.middle2) > f.least2
