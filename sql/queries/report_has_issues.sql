-- Whether this database has the view quality_issues.
SELECT count(*) > 0
FROM duckdb_views()
WHERE view_name = 'quality_issues'
