-- Runs as the stream brings them into stored_runs. Prices are set later.
INSERT INTO stored_runs (
    run_id, task_key, config_key, description_key, attempt, cli_version, reward, reported_cost_usd, cost_source,
    input_tokens, cached_input_tokens, output_tokens, total_tokens, steps, started_at, finished_at, status, extra,
    load_id, source_row
)
SELECT
    run_id, task_key, config_key, description_key, attempt, cli_version, reward, reported_cost_usd, cost_source,
    input_tokens, cached_input_tokens, output_tokens, total_tokens, steps, started_at, finished_at, status, extra,
    load_id, "row"
FROM {{source}}
