-- What sources say that is no run.
SELECT load_id, file, kind, message
FROM load_notes
ORDER BY load_id, file, kind, message
