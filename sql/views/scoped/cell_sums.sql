-- The one statement that touches every run: runs → cells, exact sums only, so
-- that any order of rows and any number of threads give the same bits. Key:
-- config_key, task_key, description_key.
--
-- It is standard SQL over two tables, stored_runs and scope_tasks (the tasks in
-- scope with their stratum, 0 to 2), and six small functions that amdb
-- generates from the calibration, the policies and the aliases in force as
-- CASE expressions, namely stratum_budget_level, stratum_expensive_failure,
-- run_counts, run_reward, run_passes and canonical_config. docs/distributed.md says how another engine runs it.
--
-- Rewards and costs are summed as integers of 2⁻⁶⁰: exact for any double of at
-- least 2⁻⁸, within 2⁻⁶¹ below.
--
-- config_key: → config_keys, canonical
-- task_key: → task_keys, canonical
-- description_key: → description_keys
-- stratum: 0 = Easy, 1 = Medium, 2 = Hard
-- runs: all runs of the cell
-- counted_runs: those that count under the policies
-- reward_q60: sum of rewards · 2⁶⁰, over the runs that count
-- masked_q60: sum of reward · budget level · 2⁶⁰, over the runs that count
-- failures: expensive failures among the runs that count
-- missing_reward: runs without a reward
-- missing_cost: runs without a cost
-- missing_tokens: runs without total_tokens
-- passes: runs that passed
-- cost_q60: sum of known costs · 2⁶⁰
-- tokens: sum of known total_tokens
-- pass_cost_q60: sum of known costs of runs that passed · 2⁶⁰
-- pass_tokens: sum of known total_tokens of runs that passed
-- pass_missing_cost: runs that passed without a cost
-- pass_missing_tokens: runs that passed without total_tokens
-- pass_zero_cost: runs that passed at a cost of 0, which is seldom true
WITH priced AS (
    SELECT
        canonical_config(r.config_key) AS config_key, s.canonical_key AS task_key, r.description_key, s.stratum, r.reward, r.total_tokens,
        coalesce(r.reported_cost_usd, r.priced_cost_usd) AS cost_usd
    FROM stored_runs AS r
    JOIN scope_tasks AS s ON s.task_key = r.task_key
),
marked AS (
    SELECT
        config_key, task_key, description_key, stratum, reward, cost_usd, total_tokens,
        run_counts(reward, cost_usd) AS counts,
        run_passes(reward) AS passes,
        CAST(run_reward(reward) * 1152921504606846976.0 AS BIGINT) AS reward_q60,
        CAST(cost_usd * 1152921504606846976.0 AS HUGEINT) AS cost_q60,
        stratum_budget_level(stratum, cost_usd) AS budget_level
    FROM priced
)
SELECT
    config_key, task_key, description_key, stratum,
    count(*) AS runs,
    count(*) FILTER (WHERE counts) AS counted_runs,
    sum(reward_q60) FILTER (WHERE counts) AS reward_q60,
    sum(CAST(reward_q60 AS HUGEINT) * budget_level) FILTER (WHERE counts) AS masked_q60,
    count(*) FILTER (WHERE counts AND stratum_expensive_failure(stratum, run_reward(reward), cost_usd)) AS failures,
    count(*) - count(reward) AS missing_reward,
    count(*) - count(cost_usd) AS missing_cost,
    count(*) - count(total_tokens) AS missing_tokens,
    count(*) FILTER (WHERE passes) AS passes,
    sum(cost_q60) AS cost_q60,
    sum(total_tokens) AS tokens,
    sum(cost_q60) FILTER (WHERE passes) AS pass_cost_q60,
    sum(total_tokens) FILTER (WHERE passes) AS pass_tokens,
    count(*) FILTER (WHERE passes AND cost_usd IS NULL) AS pass_missing_cost,
    count(*) FILTER (WHERE passes AND total_tokens IS NULL) AS pass_missing_tokens,
    count(*) FILTER (WHERE passes AND cost_usd = 0) AS pass_zero_cost
FROM marked
GROUP BY config_key, task_key, description_key, stratum
