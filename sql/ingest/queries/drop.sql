-- Of every pair of twins, the one that goes: the new one, unless it replaces.
DELETE FROM stored_runs
WHERE rowid IN (
    SELECT CASE WHEN verdict = 'conflict' AND {{keep_new}} THEN other_row_id ELSE row_id END
    FROM incoming_twins
)
