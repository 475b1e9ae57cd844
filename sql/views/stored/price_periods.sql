-- One row a configuration and price that its runs may have. A model is looked
-- up in the price table as its source names it, then by its name in force, then
-- by the table's own other names for either. Key: config_key, valid_from.
--
-- config_key: → config_keys
-- price_model: the model of the table prices
-- valid_from: first day on which the price holds
-- valid_to: first day on which it does not any more
-- input_usd: US dollars per million input tokens that were not cached
-- cached_input_usd: US dollars per million cached input tokens
-- output_usd: US dollars per million output tokens
WITH listed AS (
    SELECT model AS name, model AS price_model FROM prices GROUP BY model
    UNION ALL
    SELECT alias, model FROM price_aliases
),
candidates AS (
    SELECT c.config_key, l.price_model, CASE WHEN l.name = l.price_model THEN 0 ELSE 2 END AS turn
    FROM config_keys AS c
    JOIN listed AS l ON l.name = c.raw_model
    UNION ALL
    SELECT c.config_key, l.price_model, CASE WHEN l.name = l.price_model THEN 1 ELSE 3 END
    FROM config_keys AS c
    JOIN listed AS l ON l.name = c.model
),
chosen AS (
    SELECT config_key, arg_min(price_model, turn) AS price_model
    FROM candidates
    GROUP BY config_key
)
SELECT
    h.config_key, x.model AS price_model, x.valid_from,
    coalesce(lead(x.valid_from) OVER (PARTITION BY h.config_key ORDER BY x.valid_from), DATE '9999-12-31') AS valid_to,
    x.input_usd, x.cached_input_usd, x.output_usd
FROM chosen AS h
JOIN prices AS x ON x.model = h.price_model
