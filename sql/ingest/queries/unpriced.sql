-- The runs without any cost, by model and by why no price made one.
SELECT
    c.model,
    CASE
        WHEN d.config_key IS NULL AND c.config_key IN (SELECT config_key FROM price_periods) THEN 'began before its first price'
        WHEN d.config_key IS NULL THEN 'no price'
        WHEN r.cached_input_tokens > r.input_tokens THEN 'more cached than input tokens'
        ELSE 'input or output tokens unknown'
    END AS reason,
    count(*) AS runs
FROM stored_runs AS r
JOIN config_keys AS c ON c.config_key = r.config_key
LEFT JOIN price_periods AS d ON d.config_key = r.config_key
    AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') >= d.valid_from
    AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') < d.valid_to
WHERE r.reported_cost_usd IS NULL AND r.priced_cost_usd IS NULL
GROUP BY c.model, reason
ORDER BY runs DESC, c.model, reason
