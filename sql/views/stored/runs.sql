-- One row a run, as it was loaded, in SPEC's columns. Key: run_id.
--
-- run_id: identity of the run
-- benchmark: suite that the task comes from; empty where the source names none
-- task: task id within its suite
-- model: language model
-- cli: command-line agent
-- config: the configuration's name, model/cli
-- raw_task: the task as the source names it; differs where amdb alias gives another name
-- raw_model: the model as the source names it
-- raw_cli: the agent as the source names it
-- cli_version: the agent's version, as recorded
-- description: the wording that was run
-- attempt: number within the cell; where the source gives none, numbered by run_id after those that it gives
-- reward: the evaluator's verdict in [0,1]; NULL = none given
-- cost_usd: cost in force: the reported one, else the priced one; NULL = unknown
-- cost_source: reported or priced; NULL where the cost is unknown
-- reported_cost_usd: what the source says
-- priced_cost_usd: what tokens cost by the price table
-- input_tokens: input tokens, cached ones included
-- cached_input_tokens: input tokens read from a cache
-- output_tokens: output tokens
-- total_tokens: input + output, or the source's own total
-- steps: turns of the trajectory
-- started_at: begin, UTC
-- finished_at: end, UTC
-- status: the harness's own word
-- extra: JSON text of what else the source had
-- load_id: → loads
WITH given AS (
    SELECT
        run_id, task_key, config_key, description_key, attempt, cli_version, reward, reported_cost_usd, cost_source, priced_cost_usd,
        input_tokens, cached_input_tokens, output_tokens, total_tokens, steps, started_at, finished_at, status, extra, load_id
    FROM stored_runs
    WHERE attempt IS NOT NULL
),
-- Apart, for numbering sorts all that it numbers.
numbered AS (
    SELECT
        r.run_id, r.task_key, r.config_key, r.description_key,
        CAST(coalesce(m.attempts, 0)
            + row_number() OVER (PARTITION BY t.canonical_key, c.canonical_key, r.description_key ORDER BY r.run_id) AS INTEGER) AS attempt,
        r.cli_version, r.reward, r.reported_cost_usd, r.cost_source, r.priced_cost_usd,
        r.input_tokens, r.cached_input_tokens, r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at, r.status, r.extra, r.load_id
    FROM stored_runs AS r
    JOIN task_keys AS t ON t.task_key = r.task_key
    JOIN config_keys AS c ON c.config_key = r.config_key
    LEFT JOIN (
        SELECT t.canonical_key AS task, c.canonical_key AS config, g.description_key AS description, max(g.attempt) AS attempts
        FROM stored_runs AS g
        JOIN task_keys AS t ON t.task_key = g.task_key
        JOIN config_keys AS c ON c.config_key = g.config_key
        WHERE g.attempt IS NOT NULL
        GROUP BY t.canonical_key, c.canonical_key, g.description_key
    ) AS m ON m.task = t.canonical_key AND m.config = c.canonical_key AND m.description = r.description_key
    WHERE r.attempt IS NULL
)
SELECT
    r.run_id,
    t.benchmark,
    t.task,
    c.model,
    c.cli,
    c.model || '/' || c.cli AS config,
    t.raw_task,
    c.raw_model,
    c.raw_cli,
    r.cli_version,
    d.description,
    r.attempt,
    r.reward,
    coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd,
    CASE
        WHEN r.reported_cost_usd IS NOT NULL THEN coalesce(r.cost_source, 'reported')
        WHEN r.priced_cost_usd IS NOT NULL THEN 'priced'
    END AS cost_source,
    r.reported_cost_usd,
    r.priced_cost_usd,
    r.input_tokens,
    r.cached_input_tokens,
    r.output_tokens,
    r.total_tokens,
    r.steps,
    r.started_at,
    r.finished_at,
    r.status,
    r.extra,
    r.load_id
FROM (FROM given UNION ALL FROM numbered) AS r
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN description_keys AS d ON d.description_key = r.description_key
