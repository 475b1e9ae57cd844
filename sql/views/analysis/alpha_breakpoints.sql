-- One row a description and pair of configurations that change places at a
-- mixing weight in [0,1], for the task set, calibration and policies in scope.
-- AMS is linear in alpha, so the weight is exact. Section 5.8. Key: description,
-- ahead_below, ahead_above.
--
-- description: the wording that was run
-- alpha: the weight at which the two tie
-- ahead_below: the configuration that is ahead at smaller weights
-- ahead_above: the configuration that is ahead at larger weights
-- ams: their score there
WITH ends AS (
    SELECT
        s.description, s.config,
        mean_in_order(list(ams(s.tq, s.aubqc, s.efr, 0.0) ORDER BY ['Easy', 'Medium', 'Hard'].list_position(s.stratum))) AS at_0,
        mean_in_order(list(ams(s.tq, s.aubqc, s.efr, 1.0) ORDER BY ['Easy', 'Medium', 'Hard'].list_position(s.stratum))) AS at_1
    FROM stratum_scores AS s
    JOIN scores AS c ON c.description = s.description AND c.config = s.config AND c.rank IS NOT NULL
    GROUP BY s.description, s.config
),
pairs AS (
    SELECT
        a.description, a.at_0, a.at_1,
        alpha_crossing(a.at_0, a.at_1, b.at_0, b.at_1) AS alpha,
        CASE WHEN a.at_0 - a.at_1 < b.at_0 - b.at_1 THEN b.config ELSE a.config END AS ahead_below,
        CASE WHEN a.at_0 - a.at_1 < b.at_0 - b.at_1 THEN a.config ELSE b.config END AS ahead_above
    FROM ends AS a
    JOIN ends AS b ON b.description = a.description AND b.config < a.config
)
SELECT description, alpha, ahead_below, ahead_above, at_0 + alpha * (at_1 - at_0) AS ams
FROM pairs
WHERE alpha IS NOT NULL
