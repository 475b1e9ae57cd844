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
    CAST(coalesce(
        r.attempt,
        coalesce(max(r.attempt) OVER (PARTITION BY t.canonical_key, c.canonical_key, r.description_key), 0)
        + row_number() OVER (PARTITION BY t.canonical_key, c.canonical_key, r.description_key, r.attempt IS NULL ORDER BY r.run_id)
    ) AS INTEGER) AS attempt,
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
FROM stored_runs AS r
JOIN task_keys AS t ON t.task_key = r.task_key
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN description_keys AS d ON d.description_key = r.description_key
