-- One row a configuration, description, stratum and budget: the quality that
-- the budget buys, for the task set, calibration and policies in scope. The
-- mean over the levels is aubqc. Key: description, config, stratum, level.
--
-- description: the wording that was run
-- config: model/cli
-- stratum: Easy, Medium or Hard
-- level: the budget's level, 1 = the lowest
-- budget_usd: the budget in US dollars
-- tasks: tasks of the stratum with a run that counts
-- quality: mean over tasks of the mean reward of attempts whose cost does not exceed the budget
WITH levels AS (
    SELECT b.stratum, b.level, b.budget_usd
    FROM calibration_budgets AS b
    JOIN scope AS p ON p.calibration = b.calibration
),
per_task AS (
    SELECT
        m.description, m.config, m.stratum, l.level, l.budget_usd, m.benchmark, m.task,
        CAST(sum(CASE WHEN m.budget_level > m.budgets - l.level THEN CAST(run_reward(m.reward) * 1152921504606846976.0 AS BIGINT) ELSE 0 END) AS DOUBLE)
            / 1152921504606846976.0 / count(*) AS quality
    FROM masked_runs AS m
    JOIN levels AS l ON l.stratum = m.stratum
    WHERE m.counts
    GROUP BY m.description, m.config, m.stratum, l.level, l.budget_usd, m.benchmark, m.task
)
SELECT
    description, config, stratum, level, budget_usd,
    count(*) AS tasks,
    mean_in_order(list(quality ORDER BY benchmark, task)) AS quality
FROM per_task
GROUP BY description, config, stratum, level, budget_usd
