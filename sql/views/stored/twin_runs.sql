-- One row a run that equals another of its cell in every figure, but the first of
-- them by run_id. Key: run_id, kind. run_outliers has these and the far ones.
--
-- run_id: identity of the run
-- config_key: → config_keys
-- task_key: → task_keys
-- description_key: → description_keys
-- kind: duplicate_run
WITH repeated AS ( -- by their hash, so that only the runs that may be twins are sorted
    SELECT hash(reward, reported_cost_usd, input_tokens, cached_input_tokens, output_tokens, total_tokens, steps, started_at, finished_at) AS figures
    FROM stored_runs
    WHERE reported_cost_usd > 0 OR total_tokens > 0
    GROUP BY figures
    HAVING count(*) > 1
),
twins AS (
    SELECT
        r.run_id, r.config_key, r.task_key, r.description_key,
        row_number() OVER (
            PARTITION BY c.canonical_key, t.canonical_key, r.description_key, r.reward, r.reported_cost_usd, r.input_tokens, r.cached_input_tokens,
                r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at
            ORDER BY r.run_id
        ) AS place
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    WHERE (r.reported_cost_usd > 0 OR r.total_tokens > 0)
        AND hash(r.reward, r.reported_cost_usd, r.input_tokens, r.cached_input_tokens, r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at)
            IN (SELECT figures FROM repeated)
)
SELECT run_id, config_key, task_key, description_key, 'duplicate_run' AS kind
FROM twins
WHERE place > 1
