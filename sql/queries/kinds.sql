-- What the kinds of finding mean.
SELECT kind, severity, says, effect
FROM issue_kinds
ORDER BY kind
