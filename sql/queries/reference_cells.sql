-- What the effort of tasks is made from: one row a configuration and task under
-- the description original, with exact sums over its attempts.
SELECT
    c.canonical_key AS config_key,
    t.canonical_key AS task_key,
    count(*) AS runs,
    count(r.reward) AS rewarded,
    count(*) FILTER (WHERE r.reward = 0) AS zeros,
    count(coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS priced,
    count(r.total_tokens) AS with_tokens,
    CAST(coalesce(sum(r.total_tokens), 0) AS BIGINT) AS tokens,
    count(r.steps) AS with_steps,
    CAST(coalesce(sum(r.steps), 0) AS BIGINT) AS steps
FROM stored_runs AS r
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN description_keys AS d ON d.description_key = r.description_key
WHERE d.description = 'original'
GROUP BY c.canonical_key, t.canonical_key
