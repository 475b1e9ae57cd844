-- The cells in scope as scoring reads them: the exact sums of cell_sums, each
-- rounded once to a double.
SELECT
    config_key, task_key, description_key, stratum,
    runs, counted_runs,
    coalesce(CAST(reward_q60 AS DOUBLE), 0) AS reward_q60,
    coalesce(CAST(masked_q60 AS DOUBLE), 0) AS masked_q60,
    failures, missing_reward, missing_cost, missing_tokens, passes,
    coalesce(CAST(cost_q60 AS DOUBLE), 0) AS cost_q60,
    coalesce(CAST(tokens AS DOUBLE), 0) AS tokens,
    coalesce(CAST(pass_cost_q60 AS DOUBLE), 0) AS pass_cost_q60,
    coalesce(CAST(pass_tokens AS DOUBLE), 0) AS pass_tokens,
    pass_missing_cost, pass_missing_tokens, pass_zero_cost
FROM cell_sums
