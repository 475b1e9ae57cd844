-- The rows that were not loaded.
SELECT file, row, "column", value, reason
FROM rejects
ORDER BY file, row, "column", value, reason
