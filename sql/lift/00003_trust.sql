-- What migration 3 adds, over a file of an earlier format that is only read.
-- {{file}} is the file's schema.
CREATE TEMP TABLE task_keys AS
SELECT task_key, benchmark, task, task AS raw_task, task_key AS canonical_key FROM {{file}}.task_keys;

CREATE TEMP TABLE config_keys AS
SELECT config_key, model, cli, model AS raw_model, cli AS raw_cli, config_key AS canonical_key FROM {{file}}.config_keys;

CREATE TEMP TABLE loads AS
SELECT load_id, path, format, sha256, loaded_at, amdb_version, read, inserted, unchanged, replaced, skipped, rejected, CAST(NULL AS VARCHAR) AS options
FROM {{file}}.loads;

CREATE TEMP TABLE aliases (kind VARCHAR, benchmark VARCHAR, raw VARCHAR, name VARCHAR);

CREATE TEMP TABLE price_aliases (alias VARCHAR, model VARCHAR);

CREATE TEMP TABLE flagged_cells (config_key INTEGER, task_key INTEGER, description_key INTEGER, kind VARCHAR, runs BIGINT);
