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
    SELECT ['Easy', 'Medium', 'Hard'][stratum + 1] AS stratum, count(DISTINCT canonical_key) AS tasks
    FROM scope_tasks
    GROUP BY scope_tasks.stratum
),
counted AS (
    SELECT * FROM cells WHERE counted_runs > 0
),
means AS (
    SELECT
        description, config, stratum, count(*) AS cells,
        mean_in_order(list(reward ORDER BY benchmark, task)) AS tq,
        mean_in_order(list(masked_reward ORDER BY benchmark, task)) AS aubqc,
        mean_in_order(list(failure_rate ORDER BY benchmark, task)) AS efr
    FROM counted
    GROUP BY description, config, stratum
),
whole AS (
    SELECT
        k.description, k.config, z.stratum, z.tasks, z.tasks - coalesce(m.cells, 0) AS missing_cells,
        CASE WHEN m.cells = z.tasks THEN m.tq END AS tq,
        CASE WHEN m.cells = z.tasks THEN m.aubqc END AS aubqc,
        CASE WHEN m.cells = z.tasks THEN m.efr END AS efr
    FROM (SELECT DISTINCT description, config FROM cells) AS k
    CROSS JOIN sizes AS z
    LEFT JOIN means AS m ON m.description = k.description AND m.config = k.config AND m.stratum = z.stratum
)
SELECT
    w.description, w.config, w.stratum, w.tasks, w.missing_cells, w.tq, w.aubqc, w.efr,
    ams(w.tq, w.aubqc, w.efr, p.alpha) AS ams
FROM whole AS w
CROSS JOIN scope AS p
