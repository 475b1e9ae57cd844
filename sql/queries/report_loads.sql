-- Where the runs come from. Neither a time nor a load's number is asked for:
-- reports of equal data are equal.
SELECT path, format, sha256, amdb_version, read, inserted, unchanged, replaced, skipped, rejected
FROM loads
ORDER BY sha256, path, inserted, unchanged
