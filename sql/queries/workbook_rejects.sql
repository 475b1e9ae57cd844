-- The rows that loads rejected.
SELECT load_id, file, row, "column", value, reason
FROM rejects
ORDER BY load_id, file, row, "column", reason, value
