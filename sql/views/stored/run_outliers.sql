-- One row a run and fault that shows only beside the other runs: far out of
-- their pattern, or the same once more. Key: run_id, kind.
--
-- Far is a robust z, 0.6745·(x − median)/MAD, beyond 6 and at least a factor of
-- 4 off the median, among 20 runs or more.
--
-- run_id: identity of the run
-- config_key: → config_keys
-- task_key: → task_keys
-- description_key: → description_keys
-- kind: cost_outlier, tokens_per_step_outlier or duplicate_run
WITH facts AS (
    SELECT
        r.run_id, r.config_key, r.task_key, r.description_key, c.model, c.canonical_key AS config, t.benchmark,
        coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd, r.total_tokens, r.steps
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
),
-- Cost a token is a property of the model; where no tokens are known, a
-- configuration's costs within one suite are compared with each other.
measured AS (
    SELECT run_id, config_key, task_key, description_key, 'cost_outlier' AS kind, model AS peers, '' AS suite, ln(cost_usd / total_tokens) AS x
    FROM facts
    WHERE cost_usd > 0 AND total_tokens > 0
    UNION ALL
    SELECT run_id, config_key, task_key, description_key, 'cost_outlier', CAST(config AS VARCHAR), 'cost ' || benchmark, ln(cost_usd)
    FROM facts
    WHERE cost_usd > 0 AND total_tokens IS NULL
    UNION ALL
    SELECT run_id, config_key, task_key, description_key, 'tokens_per_step_outlier', CAST(config AS VARCHAR), '', ln(total_tokens / steps)
    FROM facts
    WHERE total_tokens > 0 AND steps > 0
),
middles AS (
    SELECT kind, peers, suite, median(x) AS middle, mad(x) AS spread
    FROM measured
    GROUP BY kind, peers, suite
    HAVING count(*) >= 20
),
twins AS (
    SELECT
        r.run_id, r.config_key, r.task_key, r.description_key,
        row_number() OVER (
            PARTITION BY c.canonical_key, t.canonical_key, r.description_key, r.reward, r.reported_cost_usd, r.input_tokens, r.cached_input_tokens,
                r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at
            ORDER BY r.run_id
        ) AS place
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    WHERE r.reported_cost_usd > 0 OR r.total_tokens > 0
)
SELECT m.run_id, m.config_key, m.task_key, m.description_key, m.kind
FROM measured AS m
JOIN middles AS d ON d.kind = m.kind AND d.peers = m.peers AND d.suite = m.suite
WHERE abs(m.x - d.middle) > ln(4) AND 0.6745 * abs(m.x - d.middle) > 6 * d.spread
UNION ALL
SELECT run_id, config_key, task_key, description_key, 'duplicate_run'
FROM twins
WHERE place > 1
