-- Every task that some configuration lacks under the description original, by
-- every configuration that has runs under it: how many runs, how many of them
-- with a reward.
WITH original AS (
    SELECT c.canonical_key AS config_key, t.canonical_key AS task_key, count(*) AS runs, count(r.reward) AS scored_runs
    FROM stored_runs AS r
    JOIN config_keys AS c ON c.config_key = r.config_key
    JOIN task_keys AS t ON t.task_key = r.task_key
    JOIN description_keys AS d ON d.description_key = r.description_key
    WHERE d.description = 'original'
    GROUP BY c.canonical_key, t.canonical_key
),
configs AS (SELECT DISTINCT config_key FROM original),
lacking AS (
    SELECT task_key
    FROM original
    GROUP BY task_key
    HAVING count(*) FILTER (WHERE scored_runs > 0) < (SELECT count(*) FROM configs)
)
SELECT
    t.benchmark, t.task, c.model || '/' || c.cli AS config,
    coalesce(o.runs, 0) AS runs,
    coalesce(o.scored_runs, 0) AS scored_runs
FROM lacking AS l
CROSS JOIN configs AS k
JOIN task_keys AS t ON t.task_key = l.task_key
JOIN config_keys AS c ON c.config_key = k.config_key
LEFT JOIN original AS o ON o.config_key = k.config_key AND o.task_key = l.task_key
ORDER BY t.benchmark, t.task, config
