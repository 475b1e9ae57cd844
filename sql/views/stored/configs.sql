-- One row a configuration that has runs. Key: config.
--
-- config: model/cli
-- model: language model
-- cli: command-line agent
-- runs: runs of any task and description
-- tasks: tasks that it ran under any description
-- missing_reward: runs whose evaluator gave no reward
-- missing_cost: runs whose cost is unknown
-- cli_versions: different versions of the agent that were recorded
SELECT
    c.model || '/' || c.cli AS config,
    c.model,
    c.cli,
    count(*) AS runs,
    count(DISTINCT t.canonical_key) AS tasks,
    count(*) FILTER (WHERE r.reward IS NULL) AS missing_reward,
    count(*) FILTER (WHERE coalesce(r.reported_cost_usd, r.priced_cost_usd) IS NULL) AS missing_cost,
    count(DISTINCT r.cli_version) AS cli_versions
FROM stored_runs AS r
JOIN config_keys AS c ON c.config_key = r.config_key
JOIN task_keys AS t ON t.task_key = r.task_key
GROUP BY c.model, c.cli
