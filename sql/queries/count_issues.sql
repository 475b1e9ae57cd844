-- What the view flag_sums says of one of the views that it counts.
SELECT config_key, kind, count(*) AS runs, min(run_id) AS example_run_id
FROM {{view}}
GROUP BY config_key, kind
