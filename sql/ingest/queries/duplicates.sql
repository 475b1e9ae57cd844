-- Runs whose run_id stands more than once, each with the one that came first and
-- a verdict: same (equal values: one run), conflict (other values than a run of
-- an earlier load) or clash (two different results within this load). Values
-- are everything that a source says; where it says it does not matter. An attempt
-- number that one of two does not give is no difference, nor is a cost that was
-- priced, for prices change, nor a name that an alias makes another.
-- {{first}} is the first load_id of this load.
CREATE TEMP TABLE incoming_twins AS
WITH twice AS (
    SELECT run_id FROM stored_runs GROUP BY run_id HAVING count(*) > 1
),
twins AS (
    SELECT
        r.rowid AS row_id, r.run_id, r.load_id, r.source_row, r.attempt,
        row(t.canonical_key, c.canonical_key, r.description_key, r.cli_version, r.reward, CASE WHEN r.cost_source IS DISTINCT FROM 'priced' THEN r.reported_cost_usd END, r.input_tokens, r.cached_input_tokens, r.output_tokens, r.total_tokens, r.steps, r.started_at, r.finished_at, r.status, r.extra) AS vals,
        row_number() OVER (PARTITION BY r.run_id ORDER BY r.load_id, r.source_row, r.rowid) AS place
    FROM stored_runs AS r
    SEMI JOIN twice AS w ON w.run_id = r.run_id
    JOIN task_keys AS t ON t.task_key = r.task_key
    JOIN config_keys AS c ON c.config_key = r.config_key
),
compared AS (
    SELECT
        n.row_id, n.run_id, n.load_id, n.source_row, n.vals, n.attempt, n.place,
        o.row_id AS other_row_id, o.load_id AS other_load_id, o.source_row AS other_source_row,
        n.vals IS NOT DISTINCT FROM o.vals AND coalesce(n.attempt = o.attempt, true) AS same,
        min(CASE WHEN n.vals IS DISTINCT FROM o.vals OR n.attempt <> o.attempt THEN n.place END) OVER (PARTITION BY n.run_id) AS first_other
    FROM twins AS n
    JOIN twins AS o ON o.run_id = n.run_id AND o.place = 1
    WHERE n.place > 1
)
SELECT
    c.row_id, c.run_id, c.load_id, c.source_row, c.other_row_id, c.other_load_id, c.other_source_row,
    CASE
        WHEN c.same THEN 'same'
        WHEN c.other_load_id >= {{first}} THEN 'clash'
        WHEN c.place = c.first_other THEN 'conflict'
        WHEN c.vals IS NOT DISTINCT FROM f.vals AND coalesce(c.attempt = f.attempt, true) THEN 'same'
        ELSE 'clash'
    END AS verdict
FROM compared AS c
LEFT JOIN compared AS f ON f.run_id = c.run_id AND f.place = c.first_other
