-- One row a description and part taken out of the score: how far the ranking
-- without it agrees with the full one, over the configurations with every cell,
-- for the task set, calibration and policies in scope. Section 5.2. Key:
-- description, variant.
--
-- description: the wording that was run
-- variant: no_aubqc (alpha = 1), no_tq (alpha = 0) or no_efr (no discount)
-- configs: configurations compared
-- spearman: rank correlation with the full score; NULL = constant, or fewer than two
-- kendall: Kendall's tau-b with the full score; NULL likewise
-- mae: mean absolute difference of AMS
-- max_rank_shift: largest difference of a rank
-- winner: every configuration that ranks first without the part, by name
WITH parts AS (
    SELECT
        s.description, s.config, ['Easy', 'Medium', 'Hard'].list_position(s.stratum) AS place,
        s.ams, ams(s.tq, s.aubqc, s.efr, 1.0) AS no_aubqc, ams(s.tq, s.aubqc, s.efr, 0.0) AS no_tq, ams(s.tq, s.aubqc, 0.0, p.alpha) AS no_efr
    FROM stratum_scores AS s
    JOIN scores AS c ON c.description = s.description AND c.config = s.config AND c.rank IS NOT NULL
    CROSS JOIN scope AS p
),
means AS (
    SELECT
        description, config,
        mean_in_order(list(ams ORDER BY place)) AS ams,
        mean_in_order(list(no_aubqc ORDER BY place)) AS no_aubqc,
        mean_in_order(list(no_tq ORDER BY place)) AS no_tq,
        mean_in_order(list(no_efr ORDER BY place)) AS no_efr
    FROM parts
    GROUP BY description, config
),
variants AS (
    SELECT description, config, ams, 'no_aubqc' AS variant, no_aubqc AS other FROM means
    UNION ALL
    SELECT description, config, ams, 'no_tq' AS variant, no_tq AS other FROM means
    UNION ALL
    SELECT description, config, ams, 'no_efr' AS variant, no_efr AS other FROM means
),
placed AS (
    SELECT
        description, config, variant, ams, other,
        rank() OVER (PARTITION BY description, variant ORDER BY round(ams, 12) DESC) AS full_rank,
        rank() OVER (PARTITION BY description, variant ORDER BY round(other, 12) DESC) AS other_rank
    FROM variants
)
SELECT
    description, variant,
    count(*) AS configs,
    spearman(list(round(ams, 12) ORDER BY config), list(round(other, 12) ORDER BY config)) AS spearman,
    kendall_tau_b(list(round(ams, 12) ORDER BY config), list(round(other, 12) ORDER BY config)) AS kendall,
    mean_in_order(list(abs(other - ams) ORDER BY config)) AS mae,
    max(abs(other_rank - full_rank)) AS max_rank_shift,
    list(config ORDER BY config) FILTER (WHERE other_rank = 1) AS winner
FROM placed
GROUP BY description, variant
