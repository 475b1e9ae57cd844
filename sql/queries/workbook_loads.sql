-- Where the runs come from, one row a source of a load.
SELECT load_id, path, format, sha256, loaded_at, amdb_version, read, inserted, unchanged, replaced, skipped, rejected
FROM loads
ORDER BY load_id, path
