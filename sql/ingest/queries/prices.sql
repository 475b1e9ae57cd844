-- The price table, with how many runs each price priced.
WITH used AS (
    SELECT d.price_model, d.valid_from, count(*) AS runs
    FROM stored_runs AS r
    JOIN price_periods AS d ON d.config_key = r.config_key
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') >= d.valid_from
        AND coalesce(CAST(r.started_at AS DATE), DATE '9999-12-30') < d.valid_to
    WHERE r.priced_cost_usd IS NOT NULL
    GROUP BY d.price_model, d.valid_from
),
others AS (
    SELECT model, string_agg(alias, ';' ORDER BY alias) AS aliases
    FROM price_aliases
    GROUP BY model
)
SELECT p.model, CAST(p.valid_from AS VARCHAR), p.input_usd, p.cached_input_usd, p.output_usd, p.source, coalesce(o.aliases, ''), coalesce(u.runs, 0)
FROM prices AS p
LEFT JOIN used AS u ON u.price_model = p.model AND u.valid_from = p.valid_from
LEFT JOIN others AS o ON o.model = p.model
ORDER BY p.model, p.valid_from
