-- One row a configuration, description and stratum, for the task set,
-- calibration and policies in scope. Key: description, config, stratum.
--
-- description: the wording that was run
-- config: model/cli
-- stratum: Easy, Medium or Hard
-- tasks: tasks of the stratum in the task set
-- missing_cells: those without a run that counts; the figures are then NULL
-- tq: task quality, mean reward
-- aubqc: area under the budget–quality curve, mean masked reward
-- efr: expensive failure rate
-- ams: (alpha·tq + (1−alpha)·aubqc)·(1−efr)
WITH sizes AS (
    SELECT stratum, count(DISTINCT canonical_key) AS tasks
    FROM scope_tasks
    GROUP BY stratum
),
summed AS (
    SELECT
        description_key, config_key, stratum,
        count(*) FILTER (WHERE counted_runs > 0) AS cells,
        sum(cell_units(cell_reward(reward_q60, counted_runs))) AS tq,
        sum(cell_units(cell_masked_reward(stratum, masked_q60, counted_runs))) AS aubqc,
        sum(cell_units(cell_failure_rate(failures, counted_runs))) AS efr
    FROM cell_sums
    GROUP BY description_key, config_key, stratum
),
means AS (
    SELECT
        k.description_key, k.config_key, z.stratum, z.tasks, z.tasks - coalesce(s.cells, 0) AS missing_cells,
        CASE WHEN s.cells = z.tasks THEN units_mean(s.tq, z.tasks) END AS tq,
        CASE WHEN s.cells = z.tasks THEN units_mean(s.aubqc, z.tasks) END AS aubqc,
        CASE WHEN s.cells = z.tasks THEN units_mean(s.efr, z.tasks) END AS efr
    FROM (SELECT DISTINCT description_key, config_key FROM summed) AS k
    CROSS JOIN sizes AS z
    LEFT JOIN summed AS s ON s.description_key = k.description_key AND s.config_key = k.config_key AND s.stratum = z.stratum
)
SELECT
    d.description, k.model || '/' || k.cli AS config, ['Easy', 'Medium', 'Hard'][m.stratum + 1] AS stratum, m.tasks, m.missing_cells,
    m.tq, m.aubqc, m.efr, ams(m.tq, m.aubqc, m.efr, p.alpha) AS ams
FROM means AS m
JOIN config_keys AS k ON k.config_key = m.config_key
JOIN description_keys AS d ON d.description_key = m.description_key
CROSS JOIN scope AS p
