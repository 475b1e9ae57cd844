-- One row a finding: a kind of fault in one scope, with how often it was found.
-- Key: kind, scope_type, scope. amdb check prints it.
--
-- kind: → issue_kinds
-- severity: error, warning or note
-- scope_type: what the scope is: configuration, benchmark, model, cli, task or load
-- scope: its name
-- found: how many
-- out_of: of how many that could show the fault
-- example_run_id: the first of the runs by run_id; NULL where the finding is not of runs
-- message: the finding in words
-- effect: what it does to the score
WITH config_sums AS (
    SELECT
        c.model || '/' || c.cli AS scope,
        count(*) AS runs,
        count(*) FILTER (WHERE r.reward >= 0.999999) AS passes,
        count(*) FILTER (WHERE r.reward > 0) AS rewarded,
        count(*) FILTER (WHERE r.reward = 0) AS zeros,
        count(r.reward) AS scored,
        count(coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS costed,
        count(*) FILTER (WHERE r.reported_cost_usd IS NOT NULL AND r.priced_cost_usd IS NOT NULL) AS twice_costed,
        count(r.total_tokens) AS with_tokens,
        count(r.cached_input_tokens) AS with_cached,
        count(*) FILTER (WHERE r.steps IS NOT NULL AND r.total_tokens IS NOT NULL) AS with_steps,
        count(*) FILTER (WHERE r.started_at IS NOT NULL AND r.finished_at IS NOT NULL) AS clocked,
        count(r.started_at) AS started,
        count(DISTINCT t.canonical_key) AS tasks,
        min(r.reward) AS least_reward, max(r.reward) AS most_reward,
        count(r.reported_cost_usd) AS reported, min(r.reported_cost_usd) AS least_cost, max(r.reported_cost_usd) AS most_cost,
        min(r.total_tokens) AS least_tokens, max(r.total_tokens) AS most_tokens,
        min(r.steps) AS least_steps, max(r.steps) AS most_steps,
        count(r.steps) AS stepped
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    GROUP BY c.model, c.cli
),
flags AS (
    SELECT c.model || '/' || c.cli AS scope, f.kind, CAST(sum(f.runs) AS BIGINT) AS found, min(f.example_run_id) AS example
    FROM flag_sums AS f
    JOIN config_keys AS c ON c.config_key = f.config_key
    GROUP BY c.model, c.cli, f.kind
),
of_runs AS (
    SELECT
        f.kind, 'configuration' AS scope_type, f.scope, f.found,
        CASE
            WHEN f.kind = 'zero_cost_pass' THEN s.passes
            WHEN f.kind IN ('zero_cost_tokens', 'total_not_sum') THEN s.with_tokens
            WHEN f.kind = 'cached_above_input' THEN s.with_cached
            WHEN f.kind = 'reward_without_activity' THEN s.rewarded
            WHEN f.kind = 'zero_without_activity' THEN s.zeros
            WHEN f.kind = 'scored_with_exception' THEN s.scored
            WHEN f.kind IN ('zero_cost', 'cost_outlier') THEN s.costed
            WHEN f.kind = 'cost_not_priced' THEN s.twice_costed
            WHEN f.kind IN ('tokens_per_step', 'tokens_per_step_outlier', 'steps_without_tokens') THEN s.with_steps
            WHEN f.kind = 'clock_order' THEN s.clocked
            WHEN f.kind = 'clock_future' THEN s.started
            ELSE s.runs
        END AS out_of,
        f.example, '' AS detail
    FROM flags AS f
    JOIN config_sums AS s ON s.scope = f.scope
),
-- A figure that never varies over ten tasks or more.
constants AS (
    SELECT 'constant_reward' AS kind, scope, scored AS found, runs AS out_of, CAST(least_reward AS VARCHAR) AS word
    FROM config_sums WHERE tasks >= 10 AND scored >= 10 AND least_reward = most_reward
    UNION ALL
    SELECT 'constant_cost', scope, reported, runs, CAST(least_cost AS VARCHAR)
    FROM config_sums WHERE tasks >= 10 AND reported >= 10 AND least_cost = most_cost
    UNION ALL
    SELECT 'constant_tokens', scope, with_tokens, runs, CAST(least_tokens AS VARCHAR)
    FROM config_sums WHERE tasks >= 10 AND with_tokens >= 10 AND least_tokens = most_tokens
    UNION ALL
    SELECT 'constant_steps', scope, stepped, runs, CAST(least_steps AS VARCHAR)
    FROM config_sums WHERE tasks >= 10 AND stepped >= 10 AND least_steps = most_steps
),
suite_sums AS (
    SELECT
        t.benchmark, count(*) AS runs, count(r.reward) AS scored,
        count(*) FILTER (WHERE r.reward > 0 AND r.reward < 1) AS fractions,
        min(r.run_id) FILTER (WHERE r.reward > 0 AND r.reward < 1) AS fraction_example,
        list_concat(
            list_concat(CASE WHEN count(r.reward) = 0 THEN ['reward'] ELSE [] END,
                CASE WHEN count(coalesce(r.reported_cost_usd, r.priced_cost_usd)) = 0 THEN ['cost_usd'] ELSE [] END),
            list_concat(
                list_concat(CASE WHEN count(r.total_tokens) = 0 THEN ['total_tokens'] ELSE [] END, CASE WHEN count(r.steps) = 0 THEN ['steps'] ELSE [] END),
                list_concat(
                    list_concat(CASE WHEN count(r.started_at) = 0 THEN ['started_at'] ELSE [] END, CASE WHEN count(r.finished_at) = 0 THEN ['finished_at'] ELSE [] END),
                    list_concat(CASE WHEN count(r.status) = 0 THEN ['status'] ELSE [] END, CASE WHEN count(r.cli_version) = 0 THEN ['cli_version'] ELSE [] END)
                )
            )
        ) AS absent
    FROM stored_runs AS r
    JOIN task_keys AS t ON t.task_key = r.task_key
    GROUP BY t.benchmark
),
versions AS (
    SELECT c.model || '/' || c.cli AS scope, r.cli_version, count(*) AS runs, min(r.run_id) AS example
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    WHERE r.cli_version IS NOT NULL
    GROUP BY c.model, c.cli, r.cli_version
),
holes AS (
    SELECT config, CAST(sum(missing_tasks) AS BIGINT) AS found, CAST(sum(tasks) AS BIGINT) AS out_of,
        string_agg(CASE WHEN missing_tasks > 0 THEN CASE benchmark WHEN '' THEN '' ELSE benchmark || ' ' END || missing_tasks END, ', ' ORDER BY benchmark) AS per_suite
    FROM coverage
    GROUP BY config
    HAVING sum(missing_tasks) > 0
),
-- A source that is loaded again says the same again: it counts once.
load_findings AS (
    SELECT 'planned' AS kind, l.path AS scope, count(DISTINCT (n.file, n.message)) AS found, max(l.read) + count(DISTINCT (n.file, n.message)) AS out_of, min(n.message) AS word
    FROM load_notes AS n JOIN loads AS l ON l.load_id = n.load_id
    WHERE n.kind = 'planned'
    GROUP BY l.path
    UNION ALL
    SELECT 'load_note', l.path || ' (' || n.kind || ')', count(DISTINCT (n.file, n.message)), count(DISTINCT (n.file, n.message)), min(n.message)
    FROM load_notes AS n JOIN loads AS l ON l.load_id = n.load_id
    WHERE n.kind <> 'planned'
    GROUP BY l.path, n.kind
    UNION ALL
    SELECT 'rejected', l.path || ' (' || j."column" || ' ' || j.reason || ')', count(DISTINCT (j.file, j.row)), max(l.read), NULL
    FROM rejects AS j JOIN loads AS l ON l.load_id = j.load_id
    GROUP BY l.path, j."column", j.reason
    UNION ALL
    SELECT 'reward_range', l.path, max(l.read), max(l.read), json_extract_string(max(l.options), '$.reward_range')
    FROM loads AS l
    WHERE json_extract_string(l.options, '$.reward_range') IS NOT NULL
    GROUP BY l.path
),
findings AS (
    SELECT kind, scope_type, scope, found, out_of, example, detail FROM of_runs
    UNION ALL
    SELECT kind, 'configuration', scope, found, out_of, NULL, ': ' || word FROM constants
    UNION ALL
    SELECT 'reward_pattern', 'benchmark', benchmark, fractions, scored, fraction_example, ''
    FROM suite_sums WHERE scored >= 20 AND fractions > 0 AND fractions * 20 <= scored
    UNION ALL
    SELECT 'absent_column', 'benchmark', benchmark, len(absent), 8, NULL, ': ' || array_to_string(absent, ', ')
    FROM suite_sums WHERE len(absent) > 0
    UNION ALL
    SELECT 'cli_versions', 'configuration', scope, count(*), count(*), min(example),
        ': ' || array_to_string((list(cli_version || ' (' || runs || ' runs)' ORDER BY runs DESC, cli_version))[1:6], ', ') || CASE WHEN count(*) > 6 THEN ', …' ELSE '' END
    FROM versions GROUP BY scope HAVING count(*) > 1
    UNION ALL
    SELECT 'coverage_hole', 'configuration', config, found, out_of, NULL, ': ' || per_suite FROM holes
    UNION ALL
    SELECT kind, replace(kind, 'double_', ''), CASE benchmark WHEN '' THEN '' ELSE benchmark || '/' END || name, runs, runs, NULL, ': ' || name || ', beside ' || others
    FROM name_doubles
    UNION ALL
    SELECT 'unknown_name', 'configuration', scope, runs, runs, NULL, ': ' || scope
    FROM config_sums
    WHERE regexp_matches(lower(scope), '(^|/)(auto|unknown|default|none|null|n/a|router)(/|$)')
    UNION ALL
    SELECT kind, 'load', scope, found, out_of, NULL, coalesce(': ' || word, '') FROM load_findings
)
SELECT
    f.kind, k.severity, f.scope_type, f.scope,
    CAST(f.found AS BIGINT) AS found, CAST(f.out_of AS BIGINT) AS out_of,
    f.example AS example_run_id,
    CASE WHEN f.found = f.out_of AND f.scope_type <> 'configuration' OR f.kind IN ('cli_versions', 'unknown_name') THEN f.found || ' ' ELSE f.found || ' of ' || f.out_of || ' ' END
        || k.says || f.detail AS message,
    k.effect
FROM findings AS f
JOIN issue_kinds AS k ON k.kind = f.kind
