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
lists AS ( -- one a stratum and not one a figure: DuckDB holds what it orders
    SELECT
        s.description_key, s.config_key, s.stratum,
        list({
            'tq': cell_reward(s.reward_q60, s.counted_runs),
            'aubqc': cell_masked_reward(s.stratum, s.masked_q60, s.counted_runs),
            'efr': cell_failure_rate(s.failures, s.counted_runs)
        } ORDER BY t.place) FILTER (WHERE s.counted_runs > 0) AS tasks
    FROM cell_sums AS s
    JOIN scope_tasks AS t ON t.task_key = s.task_key
    GROUP BY s.description_key, s.config_key, s.stratum
),
whole AS (
    SELECT
        k.description_key, k.config_key, z.stratum, z.tasks, z.tasks - coalesce(len(l.tasks), 0) AS missing_cells,
        CASE WHEN len(l.tasks) = z.tasks THEN l.tasks END AS cells
    FROM (SELECT DISTINCT description_key, config_key FROM lists) AS k
    CROSS JOIN sizes AS z
    LEFT JOIN lists AS l ON l.description_key = k.description_key AND l.config_key = k.config_key AND l.stratum = z.stratum
),
means AS (
    SELECT
        *,
        mean_in_order([c.tq FOR c IN cells]) AS tq,
        mean_in_order([c.aubqc FOR c IN cells]) AS aubqc,
        mean_in_order([c.efr FOR c IN cells]) AS efr
    FROM whole
)
SELECT
    d.description, k.model || '/' || k.cli AS config, ['Easy', 'Medium', 'Hard'][m.stratum + 1] AS stratum, m.tasks, m.missing_cells,
    m.tq, m.aubqc, m.efr, ams(m.tq, m.aubqc, m.efr, p.alpha) AS ams
FROM means AS m
JOIN config_keys AS k ON k.config_key = m.config_key
JOIN description_keys AS d ON d.description_key = m.description_key
CROSS JOIN scope AS p
