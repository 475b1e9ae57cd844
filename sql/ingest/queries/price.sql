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
            ((r.input_tokens - coalesce(r.cached_input_tokens, 0)) * d.input_usd
             + coalesce(r.cached_input_tokens, 0) * d.cached_input_usd
             + r.output_tokens * d.output_usd) / 1e6 END AS cost
    FROM stored_runs AS r
    LEFT JOIN price_periods AS d ON d.config_key = r.config_key
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') >= d.valid_from
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') < d.valid_to
) AS p
WHERE p.row_id = stored_runs.rowid
    AND p.cost IS DISTINCT FROM stored_runs.priced_cost_usd
