-- What the sources said beside runs.
SELECT file, kind, message, count(*) AS times
FROM load_notes
GROUP BY file, kind, message
ORDER BY file, kind, message
