-- What every configuration did at every task under every description, in any
-- calibration: exact sums over its attempts, for choosing among candidates.
SELECT
    c.canonical_key AS config_key, t.canonical_key AS task_key, r.description_key,
    count(*) AS runs,
    count(r.reward) AS rewarded,
    count(coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS priced,
    CAST(coalesce(sum(CAST(r.reward * 1152921504606846976.0 AS BIGINT)), 0) AS DOUBLE) AS reward_q60,
    CAST(coalesce(sum(CAST(coalesce(r.reported_cost_usd, r.priced_cost_usd) * 1152921504606846976.0 AS HUGEINT)), 0) AS DOUBLE) AS cost_q60
FROM stored_runs AS r
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN description_keys AS d ON d.description_key = r.description_key
WHERE d.description <> 'generic'
GROUP BY c.canonical_key, t.canonical_key, r.description_key
