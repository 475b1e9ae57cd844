-- One row a name that differs from another only by case, separators, a provider
-- before it or a date behind it. Such names are listed and never joined: amdb
-- alias joins them. Key: kind, benchmark, name.
--
-- kind: double_model, double_cli or double_task
-- benchmark: suite of a task; empty for models and CLIs
-- likeness: what the names have in common
-- name: the name in force
-- runs: its runs
-- others: the other names of the same likeness
WITH sizes AS (
    SELECT config_key, task_key, count(*) AS runs
    FROM stored_runs
    GROUP BY config_key, task_key
),
names AS (
    -- 'auto' and ':free' stay apart: a router's choice is no model, a free tier is another price.
    SELECT 'double_model' AS kind, '' AS benchmark, c.model AS name, sum(s.runs) AS runs,
        regexp_replace(regexp_replace(lower(c.model), '^.*/', ''), '[-@_]?20[0-9][0-9][-_.]?[01][0-9][-_.]?[0-3][0-9](:|$)', '\1') AS short
    FROM sizes AS s
    JOIN config_keys AS c ON c.config_key = s.config_key
    GROUP BY c.model
    UNION ALL
    SELECT 'double_cli', '', c.cli, sum(s.runs), lower(c.cli)
    FROM sizes AS s
    JOIN config_keys AS c ON c.config_key = s.config_key
    GROUP BY c.cli
    UNION ALL
    SELECT 'double_task', t.benchmark, t.task, sum(s.runs), lower(t.task)
    FROM sizes AS s
    JOIN task_keys AS t ON t.task_key = s.task_key
    GROUP BY t.benchmark, t.task
),
-- Between digits a separator counts (4.1 is not 41), elsewhere it does not.
alike AS (
    SELECT kind, benchmark, name, runs,
        regexp_replace(regexp_replace(regexp_replace(short, '([0-9])[-_. /]+([0-9])', '\1~\2', 'g'), '([0-9])[-_. /]+([0-9])', '\1~\2', 'g'), '[-_. /]+', '', 'g') AS likeness
    FROM names
),
several AS (
    SELECT kind, benchmark, likeness, list(name ORDER BY name) AS members
    FROM alike
    GROUP BY kind, benchmark, likeness
    HAVING count(*) > 1
)
SELECT
    a.kind, a.benchmark, a.likeness, a.name, CAST(a.runs AS BIGINT) AS runs,
    array_to_string(list_sort(array_concat(s.members[1:list_position(s.members, a.name) - 1], s.members[list_position(s.members, a.name) + 1:])), ', ') AS others
FROM alike AS a
JOIN several AS s ON s.kind = a.kind AND s.benchmark = a.benchmark AND s.likeness = a.likeness
