-- The findings, the gravest first.
SELECT kind, severity, scope_type, scope, found, out_of, example_run_id, message, effect
FROM quality_issues
ORDER BY list_position(['error', 'warning', 'note'], severity), kind, found DESC, scope
