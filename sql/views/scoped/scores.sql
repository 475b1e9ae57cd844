-- One row a configuration and description, for the task set, calibration and
-- policies in scope. Key: description, config.
--
-- description: the wording that was run
-- rank: 1, 2, 2, 4 by ams rounded to 12 decimals, within the description; NULL where cells are missing
-- config: model/cli
-- ams: AgentMeter Score: mean of the three strata's; NULL where cells are missing
-- tq: task quality, mean over the strata
-- aubqc: area under the budget–quality curve, mean over the strata
-- efr: expensive failure rate, mean over the strata
-- tasks: tasks in the task set
-- missing_cells: those without a run that counts
WITH totals AS (
    SELECT
        description, config,
        CAST(sum(tasks) AS BIGINT) AS tasks,
        CAST(sum(missing_cells) AS BIGINT) AS missing_cells,
        count(*) AS strata,
        mean_in_order(list(ams ORDER BY ['Easy', 'Medium', 'Hard'].list_position(stratum))) AS ams,
        mean_in_order(list(tq ORDER BY ['Easy', 'Medium', 'Hard'].list_position(stratum))) AS tq,
        mean_in_order(list(aubqc ORDER BY ['Easy', 'Medium', 'Hard'].list_position(stratum))) AS aubqc,
        mean_in_order(list(efr ORDER BY ['Easy', 'Medium', 'Hard'].list_position(stratum))) AS efr
    FROM stratum_scores
    GROUP BY description, config
)
SELECT
    description,
    CASE WHEN missing_cells = 0 AND strata = 3 THEN
        rank() OVER (PARTITION BY description, missing_cells = 0 AND strata = 3 ORDER BY round(ams, 12) DESC) END AS rank,
    config,
    CASE WHEN missing_cells = 0 AND strata = 3 THEN ams END AS ams,
    CASE WHEN missing_cells = 0 AND strata = 3 THEN tq END AS tq,
    CASE WHEN missing_cells = 0 AND strata = 3 THEN aubqc END AS aubqc,
    CASE WHEN missing_cells = 0 AND strata = 3 THEN efr END AS efr,
    tasks, missing_cells
FROM totals
