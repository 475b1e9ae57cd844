-- Names, prices and faults: what lets a person trust the data.

-- A primary key makes the file unreadable for DuckDB before 1.1.
CREATE TABLE plain_meta (
    key   VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
INSERT INTO plain_meta SELECT key, value FROM meta;
DROP TABLE meta;
ALTER TABLE plain_meta RENAME TO meta;

-- How a source was read: --map, declared constants, --reward-range, as JSON.
ALTER TABLE loads ADD COLUMN options VARCHAR;

-- benchmark, task, model and cli are the names in force; raw_* are those that
-- the sources gave, which the identity of runs rests on. Keys with equal names
-- in force count as one: canonical_key is the smallest of them.
ALTER TABLE task_keys ADD COLUMN raw_task VARCHAR;
ALTER TABLE task_keys ADD COLUMN canonical_key INTEGER;
UPDATE task_keys SET raw_task = task, canonical_key = task_key;
ALTER TABLE config_keys ADD COLUMN raw_model VARCHAR;
ALTER TABLE config_keys ADD COLUMN raw_cli VARCHAR;
ALTER TABLE config_keys ADD COLUMN canonical_key INTEGER;
UPDATE config_keys SET raw_model = model, raw_cli = cli, canonical_key = config_key;

-- Explicit names only: likeness joins nothing. benchmark is that of a task, ''
-- for all; kind is model, cli or task.
CREATE TABLE aliases (
    kind      VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    raw       VARCHAR NOT NULL,
    name      VARCHAR NOT NULL
);

-- Other names under which a price table knows a model.
CREATE TABLE price_aliases (
    alias VARCHAR NOT NULL,
    model VARCHAR NOT NULL
);

-- How many runs of a cell the view run_flags marks, by kind: what score and
-- calibrate warn from without touching every run. Made anew by whatever writes
-- runs or prices.
CREATE TABLE flagged_cells (
    config_key      INTEGER NOT NULL,
    task_key        INTEGER NOT NULL,
    description_key INTEGER NOT NULL,
    kind            VARCHAR NOT NULL,
    runs            BIGINT NOT NULL
);
