-- One row a cell: what a configuration did at a task under a description, its
-- attempts averaged, for the task set, calibration and policies in scope.
-- Key: config, benchmark, task, description.
--
-- config: model/cli
-- model: language model
-- cli: command-line agent
-- benchmark: suite
-- task: task id within its suite
-- description: the wording that was run
-- stratum: the task's stratum
-- runs: all runs of the cell
-- counted_runs: those that count under the policies
-- reward: mean reward
-- masked_reward: mean masked reward
-- failure_rate: share of expensive failures
-- missing_reward: runs without a reward
-- missing_cost: runs without a cost
-- missing_tokens: runs without total_tokens
-- passes: runs that passed
-- cost_usd: sum of the known costs
-- tokens: sum of the known total_tokens
-- pass_cost_usd: sum of the known costs of runs that passed
-- pass_tokens: sum of the known total_tokens of runs that passed
-- pass_missing_cost: runs that passed without a cost
-- pass_missing_tokens: runs that passed without total_tokens
-- pass_zero_cost: runs that passed at a cost of 0, which is seldom true
SELECT
    c.model || '/' || c.cli AS config,
    c.model,
    c.cli,
    t.benchmark,
    t.task,
    d.description,
    ['Easy', 'Medium', 'Hard'][s.stratum + 1] AS stratum,
    s.runs,
    s.counted_runs,
    cell_reward(s.reward_q60, s.counted_runs) AS reward,
    cell_masked_reward(s.stratum, s.masked_q60, s.counted_runs) AS masked_reward,
    cell_failure_rate(s.failures, s.counted_runs) AS failure_rate,
    s.missing_reward,
    s.missing_cost,
    s.missing_tokens,
    s.passes,
    coalesce(CAST(s.cost_q60 AS DOUBLE) / 1152921504606846976.0, 0) AS cost_usd,
    coalesce(CAST(s.tokens AS DOUBLE), 0) AS tokens,
    coalesce(CAST(s.pass_cost_q60 AS DOUBLE) / 1152921504606846976.0, 0) AS pass_cost_usd,
    coalesce(CAST(s.pass_tokens AS DOUBLE), 0) AS pass_tokens,
    s.pass_missing_cost,
    s.pass_missing_tokens,
    s.pass_zero_cost
FROM cell_sums AS s
JOIN config_keys AS c ON c.config_key = s.config_key
JOIN task_keys AS t ON t.task_key = s.task_key
JOIN description_keys AS d ON d.description_key = s.description_key
