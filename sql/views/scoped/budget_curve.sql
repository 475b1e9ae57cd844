-- One row a configuration, description, stratum and budget: the quality that
-- the budget buys, for the task set, calibration and policies in scope. The
-- mean over the levels is aubqc. Key: description, config, stratum, level.
--
-- Runs are first summed by cell and by how many budgets they fit, as numbers:
-- no run is multiplied by the budgets, and what is held is bounded by the cells.
--
-- description: the wording that was run
-- config: model/cli
-- stratum: Easy, Medium or Hard
-- level: the budget's level, 1 = the lowest
-- budget_usd: the budget in US dollars
-- tasks: tasks of the stratum with a run that counts
-- quality: mean over tasks of the mean reward of attempts whose cost does not exceed the budget
WITH levels AS (
    SELECT b.stratum, b.level, b.budget_usd, count(*) OVER (PARTITION BY b.stratum) AS budgets
    FROM calibration_budgets AS b
    JOIN scope AS p ON p.calibration = b.calibration
),
sums AS (
    SELECT
        canonical_config(r.config_key) AS config_key, s.canonical_key AS task_key, r.description_key, s.stratum,
        stratum_budget_level(s.stratum, coalesce(r.reported_cost_usd, r.priced_cost_usd)) AS budget_level,
        count(*) AS runs,
        sum(CAST(run_reward(r.reward) * 1152921504606846976.0 AS BIGINT)) AS reward_q60
    FROM stored_runs AS r
    JOIN scope_tasks AS s ON s.task_key = r.task_key
    WHERE run_counts(r.reward, coalesce(r.reported_cost_usd, r.priced_cost_usd))
    GROUP BY ALL
),
per_cell AS (
    SELECT config_key, task_key, description_key, stratum, CAST(sum(runs) AS BIGINT) AS runs, sums_by_level(reward_q60, budget_level) AS reward_q60
    FROM sums
    GROUP BY config_key, task_key, description_key, stratum
),
points AS (
    SELECT
        c.config_key, c.description_key, l.stratum, l.level, l.budget_usd,
        count(*) AS tasks,
        sum(cell_units(units_mean(c.reward_q60[l.budgets - l.level + 1], c.runs))) AS quality
    FROM per_cell AS c
    JOIN levels AS l ON l.stratum = ['Easy', 'Medium', 'Hard'][c.stratum + 1]
    GROUP BY ALL
)
SELECT d.description, c.model || '/' || c.cli AS config, p.stratum, p.level, p.budget_usd, p.tasks, units_mean(p.quality, p.tasks) AS quality
FROM points AS p
JOIN config_keys AS c ON c.config_key = p.config_key
JOIN description_keys AS d ON d.description_key = p.description_key
