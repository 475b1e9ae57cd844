-- What a database holds, in one row.
WITH r AS (
    SELECT
        count(*) AS runs,
        count(DISTINCT config_key) AS configs,
        count(DISTINCT task_key) AS tasks,
        count(DISTINCT description_key) AS descriptions,
        count(*) - count(reward) AS missing_reward,
        count(*) - count(coalesce(reported_cost_usd, priced_cost_usd)) AS missing_cost,
        count(*) FILTER (WHERE reported_cost_usd IS NULL AND priced_cost_usd IS NOT NULL) AS priced,
        count(*) - count(total_tokens) AS missing_tokens,
        count(*) - count(steps) AS missing_steps
    FROM stored_runs
)
SELECT
    r.runs, r.configs, r.tasks,
    (SELECT count(DISTINCT t.benchmark) FROM task_keys AS t WHERE t.task_key IN (SELECT task_key FROM stored_runs)),
    r.descriptions, r.missing_reward, r.missing_cost, r.priced, r.missing_tokens, r.missing_steps,
    (SELECT count(*) FROM loads),
    (SELECT count(*) FROM rejects),
    (SELECT count(*) FROM prices),
    (SELECT count(DISTINCT name) FROM task_sets),
    (SELECT count(*) FROM calibrations),
    (SELECT count(*) FROM saved_scores)
FROM r
