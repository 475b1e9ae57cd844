-- Whether any run has a source-conditioned description, which is named by its
-- source, model/cli.
SELECT count(*) > 0
FROM description_keys AS d
JOIN config_keys AS c ON d.description = c.model || '/' || c.cli
