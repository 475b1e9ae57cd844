-- What every run costs by the price table: the newest price of its model that
-- was valid when it began; a run without a time takes the newest price of all.
-- A model is looked up as its source names it, then by its name in force, then
-- by the price table's own other names for either.
-- Cached tokens are part of the input tokens and have their own price; where
-- their number is unknown, all input is priced as uncached. More cached than
-- input tokens is a contradiction, and such a run is not priced.
UPDATE stored_runs
SET priced_cost_usd = p.cost
FROM (
    WITH listed AS (
        SELECT model, model AS price_model FROM prices GROUP BY model
        UNION ALL
        SELECT alias, model FROM price_aliases
    ),
    candidates AS (
        SELECT c.config_key, l.price_model, CASE WHEN l.model = l.price_model THEN 0 ELSE 2 END AS turn
        FROM config_keys AS c JOIN listed AS l ON l.model = c.raw_model
        UNION ALL
        SELECT c.config_key, l.price_model, CASE WHEN l.model = l.price_model THEN 1 ELSE 3 END
        FROM config_keys AS c JOIN listed AS l ON l.model = c.model
    ),
    chosen AS (
        SELECT config_key, arg_min(price_model, turn) AS price_model
        FROM candidates
        GROUP BY config_key
    ),
    dated AS (
        SELECT
            h.config_key, x.input_usd, x.cached_input_usd, x.output_usd, x.valid_from,
            coalesce(lead(x.valid_from) OVER (PARTITION BY h.config_key ORDER BY x.valid_from), DATE '9999-12-31') AS valid_to
        FROM chosen AS h
        JOIN prices AS x ON x.model = h.price_model
    )
    SELECT
        r.rowid AS row_id,
        CASE WHEN coalesce(r.cached_input_tokens, 0) <= r.input_tokens THEN
            ((r.input_tokens - coalesce(r.cached_input_tokens, 0)) * d.input_usd
             + coalesce(r.cached_input_tokens, 0) * d.cached_input_usd
             + r.output_tokens * d.output_usd) / 1e6 END AS cost
    FROM stored_runs AS r
    LEFT JOIN dated AS d ON d.config_key = r.config_key
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') >= d.valid_from
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') < d.valid_to
) AS p
WHERE p.row_id = stored_runs.rowid
    AND p.cost IS DISTINCT FROM stored_runs.priced_cost_usd
