-- The first conflicts of a load with the first column in which each differs.
SELECT
    w.verdict = 'clash' AS clash,
    w.run_id,
    w.load_id,
    w.source_row,
    w.other_load_id,
    coalesce(l.path, '') AS other_path,
    w.other_source_row,
    unnest(list_filter([
        {'name': 'task', 'new': nt.benchmark || '/' || nt.task, 'old': ot.benchmark || '/' || ot.task},
        {'name': 'config', 'new': nc.model || '/' || nc.cli, 'old': oc.model || '/' || oc.cli},
        {'name': 'description', 'new': nd.description, 'old': od.description},
        {'name': 'attempt', 'new': CAST(n.attempt AS VARCHAR), 'old': CAST(o.attempt AS VARCHAR)},
        {'name': 'cli_version', 'new': CAST(n.cli_version AS VARCHAR), 'old': CAST(o.cli_version AS VARCHAR)},
        {'name': 'reward', 'new': CAST(n.reward AS VARCHAR), 'old': CAST(o.reward AS VARCHAR)},
        {'name': 'cost_usd', 'new': CAST(n.reported_cost_usd AS VARCHAR), 'old': CAST(o.reported_cost_usd AS VARCHAR)},
        {'name': 'input_tokens', 'new': CAST(n.input_tokens AS VARCHAR), 'old': CAST(o.input_tokens AS VARCHAR)},
        {'name': 'cached_input_tokens', 'new': CAST(n.cached_input_tokens AS VARCHAR), 'old': CAST(o.cached_input_tokens AS VARCHAR)},
        {'name': 'output_tokens', 'new': CAST(n.output_tokens AS VARCHAR), 'old': CAST(o.output_tokens AS VARCHAR)},
        {'name': 'total_tokens', 'new': CAST(n.total_tokens AS VARCHAR), 'old': CAST(o.total_tokens AS VARCHAR)},
        {'name': 'steps', 'new': CAST(n.steps AS VARCHAR), 'old': CAST(o.steps AS VARCHAR)},
        {'name': 'started_at', 'new': CAST(n.started_at AS VARCHAR), 'old': CAST(o.started_at AS VARCHAR)},
        {'name': 'finished_at', 'new': CAST(n.finished_at AS VARCHAR), 'old': CAST(o.finished_at AS VARCHAR)},
        {'name': 'status', 'new': CAST(n.status AS VARCHAR), 'old': CAST(o.status AS VARCHAR)},
        {'name': 'extra', 'new': CAST(n.extra AS VARCHAR), 'old': CAST(o.extra AS VARCHAR)}
    ], lambda d: d.new IS DISTINCT FROM d.old AND NOT (d.name = 'attempt' AND (d.new IS NULL OR d.old IS NULL)))[1:1], recursive := true)
FROM incoming_twins AS w
JOIN stored_runs AS n ON n.rowid = w.row_id
JOIN stored_runs AS o ON o.rowid = w.other_row_id
JOIN task_keys AS nt ON nt.task_key = n.task_key
JOIN task_keys AS ot ON ot.task_key = o.task_key
JOIN config_keys AS nc ON nc.config_key = n.config_key
JOIN config_keys AS oc ON oc.config_key = o.config_key
JOIN description_keys AS nd ON nd.description_key = n.description_key
JOIN description_keys AS od ON od.description_key = o.description_key
LEFT JOIN loads AS l ON l.load_id = w.other_load_id
WHERE w.verdict IN ('conflict', 'clash')
ORDER BY clash DESC, w.run_id, w.load_id, w.source_row
LIMIT 5
