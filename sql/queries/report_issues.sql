-- What is doubtful in the data.
SELECT *
FROM quality_issues
ORDER BY ALL
