-- One row a run and fault that the run shows by itself, without a look at the
-- others. Key: run_id, kind. docs/check.md says what each kind means.
--
-- run_id: identity of the run
-- config_key: → config_keys
-- task_key: → task_keys
-- description_key: → description_keys
-- load_id: → loads
-- kind: the fault
WITH words AS ( -- a harness has few words: each is judged once, not in every run
    SELECT
        status,
        CASE
            WHEN regexp_matches(word, 'verif|grad(er|ing)|reward|scor(er|ing)|judge|evaluat|test_?timeout|parse_?error') THEN 'missing_reward_grader'
            WHEN regexp_matches(word, 'environ|docker|container|sandbox|setup|infra|network|connection|download|build|disk|oom|out_?of_?memory|rate_?limit|api_?error|overload|quota|unavailable|internal_?server') THEN 'missing_reward_environment'
            WHEN regexp_matches(word, 'agent|limit|max_|exit_|exceed|context|cost|non_?zero|timeout|timed_?out|stuck') THEN 'missing_reward_agent'
            ELSE 'missing_reward_unknown'
        END AS owner,
        regexp_matches(word, 'error|exception|time(d_)?out|_limit$|crash|killed|abort|cancel|exceed|exit_(cost|context|error|format)') AS exceptional
    FROM (SELECT status, lower(coalesce(status, '')) AS word FROM stored_runs GROUP BY status)
),
facts AS (
    SELECT
        r.run_id, r.config_key, r.task_key, r.description_key, r.load_id, r.reward, r.reported_cost_usd, r.priced_cost_usd,
        r.input_tokens, r.cached_input_tokens, r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at,
        l.loaded_at,
        w.owner, w.exceptional,
        coalesce(r.reward >= 0.999999, false) AS passed,
        -- A cost of 0 that the price table confirms is true, and so is one that it made.
        coalesce(r.reported_cost_usd = 0, false) AND coalesce(r.cost_source, '') <> 'priced'
            AND NOT coalesce(r.priced_cost_usd = 0 AND r.total_tokens > 0, false) AS zero_cost,
        (r.steps = 0 OR r.total_tokens = 0) AND coalesce(r.steps, 0) = 0 AND coalesce(r.total_tokens, 0) = 0 AS idle
    FROM stored_runs AS r
    JOIN loads AS l ON l.load_id = r.load_id
    JOIN words AS w ON w.status IS NOT DISTINCT FROM r.status
    -- Most runs have no mark, and plain comparisons pass over them in a fifth of
    -- the time of the expressions below. A test holds that none is missed.
    WHERE r.reward IS NULL OR r.reported_cost_usd = 0 OR r.reported_cost_usd IS NULL AND r.priced_cost_usd IS NULL
        OR r.steps = 0 OR r.total_tokens = 0 OR w.exceptional
        OR r.finished_at < r.started_at OR r.started_at > l.loaded_at + INTERVAL 1 DAY
        OR r.cached_input_tokens > r.input_tokens OR r.total_tokens - r.output_tokens <> r.input_tokens
        OR r.total_tokens > 2000000 AND r.total_tokens / nullif(r.steps, 0) > 2000000
        OR r.reported_cost_usd > 2 * r.priced_cost_usd OR r.reported_cost_usd < 0.5 * r.priced_cost_usd
),
marked AS (
    SELECT
        run_id, config_key, task_key, description_key, load_id,
        CASE
            WHEN NOT zero_cost THEN NULL
            WHEN passed THEN 'zero_cost_pass'
            WHEN total_tokens > 0 THEN 'zero_cost_tokens'
            ELSE 'zero_cost'
        END AS zero,
        CASE WHEN reported_cost_usd IS NULL AND priced_cost_usd IS NULL THEN 'missing_cost' END AS unknown_cost,
        CASE WHEN reward IS NULL THEN owner END AS no_reward,
        CASE WHEN idle AND reward > 0 THEN 'reward_without_activity' WHEN idle AND reward = 0 THEN 'zero_without_activity' END AS no_activity,
        CASE WHEN exceptional AND reward IS NOT NULL THEN 'scored_with_exception' END AS exception,
        CASE WHEN finished_at < started_at THEN 'clock_order' WHEN started_at > loaded_at + INTERVAL 1 DAY THEN 'clock_future' END AS clock,
        CASE WHEN cached_input_tokens > input_tokens THEN 'cached_above_input' END AS cached,
        CASE WHEN total_tokens <> input_tokens + CAST(output_tokens AS HUGEINT) THEN 'total_not_sum' END AS total,
        CASE
            WHEN steps = 0 AND total_tokens > 0 OR steps > 0 AND total_tokens = 0 THEN 'steps_without_tokens'
            WHEN total_tokens / nullif(steps, 0) > 2000000 THEN 'tokens_per_step'
        END AS per_step,
        CASE WHEN reported_cost_usd > 2 * priced_cost_usd AND priced_cost_usd > 0
            OR reported_cost_usd > 0 AND reported_cost_usd < 0.5 * priced_cost_usd THEN 'cost_not_priced' END AS ratio
    FROM facts
),
listed AS (
    SELECT
        run_id, config_key, task_key, description_key, load_id,
        unnest([zero, unknown_cost, no_reward, no_activity, exception, clock, cached, total, per_step, ratio]) AS kind
    FROM marked
    WHERE coalesce(zero, unknown_cost, no_reward, no_activity, exception, clock, cached, total, per_step, ratio) IS NOT NULL
)
SELECT run_id, config_key, task_key, description_key, load_id, kind
FROM listed
WHERE kind IS NOT NULL
