-- What every run costs by the price table: the newest price of its model that
-- was valid when it began; a run without a time takes the newest price of all.
-- Cached tokens are part of the input tokens and have their own price; where
-- their number is unknown, all input is priced as uncached. More cached than
-- input tokens is a contradiction, and such a run is not priced.
UPDATE stored_runs
SET priced_cost_usd = p.cost
FROM (
    SELECT
        r.rowid AS row_id,
        CASE WHEN coalesce(r.cached_input_tokens, 0) <= r.input_tokens THEN
            ((r.input_tokens - coalesce(r.cached_input_tokens, 0)) * q.input_usd
             + coalesce(r.cached_input_tokens, 0) * q.cached_input_usd
             + r.output_tokens * q.output_usd) / 1e6 END AS cost
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    LEFT JOIN LATERAL (
        SELECT arg_max(x.input_usd, x.valid_from) AS input_usd,
            arg_max(x.cached_input_usd, x.valid_from) AS cached_input_usd,
            arg_max(x.output_usd, x.valid_from) AS output_usd
        FROM prices AS x
        WHERE x.model = c.model AND (r.started_at IS NULL OR x.valid_from <= CAST(r.started_at AS DATE))
    ) AS q ON true
) AS p
WHERE p.row_id = stored_runs.rowid
    AND p.cost IS DISTINCT FROM stored_runs.priced_cost_usd
