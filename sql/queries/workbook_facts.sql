-- What a workbook says about the runs that it does not show or cannot compare
-- as amdb does, in one row. Parameter: description.
--
-- other_runs: runs on the tasks in scope under other descriptions
-- other_tasks_runs: runs on tasks outside the task set
-- rejects: rejected rows of all loads
-- near_ties: runs above a budget or threshold by less than the 15 digits that a
--     spreadsheet compares
WITH of_scope AS (
    SELECT m.stratum, m.cost_usd, m.description
    FROM masked_runs AS m
),
limits AS (
    SELECT b.stratum, b.budget_usd AS usd
    FROM calibration_budgets AS b
    JOIN scope AS p ON p.calibration = b.calibration
    UNION
    SELECT h.stratum, h.eta_usd
    FROM calibration_thresholds AS h
    JOIN scope AS p ON p.calibration = h.calibration
    WHERE h.eta_usd IS NOT NULL
)
SELECT
    (SELECT count(*) FROM of_scope WHERE description <> ?) AS other_runs,
    (SELECT count(*) FROM stored_runs AS r WHERE r.task_key NOT IN (SELECT task_key FROM scope_tasks)) AS other_tasks_runs,
    (SELECT count(*) FROM rejects) AS rejects,
    (SELECT count(*) FROM of_scope AS o JOIN limits AS l ON l.stratum = o.stratum
        WHERE o.description = ? AND o.cost_usd > l.usd AND o.cost_usd <= l.usd + abs(l.usd) * 1e-14) AS near_ties
