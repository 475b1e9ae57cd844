-- How many hashes of run_ids stand more than once, of those that this load
-- brought. {{first}} is its first load_id.
SELECT count(*)
FROM (
    SELECT hash(run_id) AS h
    FROM stored_runs
    GROUP BY h
    HAVING count(*) > 1 AND max(load_id) >= {{first}}
)
