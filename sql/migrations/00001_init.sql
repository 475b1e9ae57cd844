-- The tables of an amdb database, version 1. Plain SQL that any DuckDB from 1.0
-- on reads. Tables hold what was loaded or frozen; what people read are the
-- views in sql/views.

CREATE TABLE meta (
    key   VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);

-- Tasks, configurations and descriptions by number: runs hold small integers,
-- which is what makes scoring as fast as reading the columns. A number means
-- nothing outside its database.
CREATE TABLE task_keys (
    task_key  INTEGER NOT NULL,
    benchmark VARCHAR NOT NULL,
    task      VARCHAR NOT NULL
);

CREATE TABLE config_keys (
    config_key INTEGER NOT NULL,
    model      VARCHAR NOT NULL,
    cli        VARCHAR NOT NULL
);

CREATE TABLE description_keys (
    description_key INTEGER NOT NULL,
    description     VARCHAR NOT NULL
);

-- One row a run. run_id is unique: the loader holds that, for all writes go
-- through it (a PRIMARY KEY would cost more memory than the runs).
-- priced_cost_usd is what the price table in force says, for every run whose
-- tokens and model it knows; reported_cost_usd is what the source says.
CREATE TABLE stored_runs (
    run_id              VARCHAR NOT NULL,
    task_key            INTEGER NOT NULL,
    config_key          INTEGER NOT NULL,
    description_key     INTEGER NOT NULL,
    attempt             INTEGER,
    cli_version         VARCHAR,
    reward              DOUBLE,
    reported_cost_usd   DOUBLE,
    cost_source         VARCHAR,
    priced_cost_usd     DOUBLE,
    input_tokens        BIGINT,
    cached_input_tokens BIGINT,
    output_tokens       BIGINT,
    total_tokens        BIGINT,
    steps               BIGINT,
    started_at          TIMESTAMP WITH TIME ZONE,
    finished_at         TIMESTAMP WITH TIME ZONE,
    status              VARCHAR,
    extra               VARCHAR,
    load_id             INTEGER NOT NULL,
    source_row          BIGINT NOT NULL
);

-- One row a source of a load: which file or folder, when, by which version.
CREATE TABLE loads (
    load_id      INTEGER NOT NULL,
    path         VARCHAR NOT NULL,
    format       VARCHAR NOT NULL,
    sha256       VARCHAR NOT NULL,
    loaded_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    amdb_version VARCHAR NOT NULL,
    read         BIGINT NOT NULL,
    inserted     BIGINT NOT NULL,
    unchanged    BIGINT NOT NULL,
    replaced     BIGINT NOT NULL,
    skipped      BIGINT NOT NULL,
    rejected     BIGINT NOT NULL
);

CREATE TABLE rejects (
    load_id INTEGER NOT NULL,
    file    VARCHAR NOT NULL,
    row     BIGINT NOT NULL,
    "column" VARCHAR NOT NULL,
    value   VARCHAR NOT NULL,
    reason  VARCHAR NOT NULL
);

-- What a source says that is no run: planned trials without a result, counts
-- that do not match.
CREATE TABLE load_notes (
    load_id INTEGER NOT NULL,
    file    VARCHAR NOT NULL,
    kind    VARCHAR NOT NULL,
    message VARCHAR NOT NULL
);

-- US dollars per million tokens, from a date on.
CREATE TABLE prices (
    model            VARCHAR NOT NULL,
    valid_from       DATE NOT NULL,
    input_usd        DOUBLE NOT NULL,
    cached_input_usd DOUBLE NOT NULL,
    output_usd       DOUBLE NOT NULL,
    source           VARCHAR NOT NULL
);

CREATE TABLE task_sets (
    name      VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    task      VARCHAR NOT NULL
);

-- Calibrations never change. document is the whole of one as JSON; the tables
-- below say the same for SQL.
CREATE TABLE calibrations (
    name          VARCHAR NOT NULL,
    digest        VARCHAR NOT NULL,
    alpha         DOUBLE NOT NULL,
    budget_levels INTEGER NOT NULL,
    eta_quantile  DOUBLE NOT NULL,
    percentile    VARCHAR NOT NULL,
    effort_terms  VARCHAR NOT NULL,
    reference     INTEGER NOT NULL,
    tasks         INTEGER NOT NULL,
    created_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    amdb_version  VARCHAR NOT NULL,
    document      VARCHAR NOT NULL
);

CREATE TABLE calibration_tasks (
    calibration   VARCHAR NOT NULL,
    benchmark     VARCHAR NOT NULL,
    task          VARCHAR NOT NULL,
    median_tokens DOUBLE,
    median_steps  DOUBLE,
    zero_rate     DOUBLE NOT NULL,
    q_tokens      DOUBLE,
    q_steps       DOUBLE,
    q_zero        DOUBLE,
    effort        DOUBLE NOT NULL,
    effort_rank   INTEGER NOT NULL,
    stratum       VARCHAR NOT NULL
);

CREATE TABLE calibration_budgets (
    calibration VARCHAR NOT NULL,
    stratum     VARCHAR NOT NULL,
    level       INTEGER NOT NULL,
    budget_usd  DOUBLE NOT NULL
);

CREATE TABLE calibration_thresholds (
    calibration VARCHAR NOT NULL,
    stratum     VARCHAR NOT NULL,
    tasks       INTEGER NOT NULL,
    eta_usd     DOUBLE
);

-- Scores that `amdb score --save` keeps, for other programs to read.
CREATE TABLE saved_scores (
    name               VARCHAR NOT NULL,
    saved_at           TIMESTAMP WITH TIME ZONE NOT NULL,
    amdb_version       VARCHAR NOT NULL,
    calibration        VARCHAR NOT NULL,
    calibration_digest VARCHAR NOT NULL,
    condition          VARCHAR NOT NULL,
    task_set           VARCHAR NOT NULL,
    tasks              INTEGER NOT NULL,
    alpha              DOUBLE NOT NULL,
    missing_reward     VARCHAR NOT NULL,
    missing_cost       VARCHAR NOT NULL,
    incomplete         VARCHAR NOT NULL,
    document           VARCHAR NOT NULL
);

CREATE TABLE saved_leaderboard (
    name            VARCHAR NOT NULL,
    rank            INTEGER,
    config          VARCHAR NOT NULL,
    model           VARCHAR NOT NULL,
    cli             VARCHAR NOT NULL,
    ams             DOUBLE,
    tq              DOUBLE,
    aubqc           DOUBLE,
    efr             DOUBLE,
    runs            BIGINT,
    mean_reward     DOUBLE,
    passes          BIGINT,
    pass_rate       DOUBLE,
    total_cost_usd  DOUBLE,
    usd_per_pass    DOUBLE,
    tokens_per_pass DOUBLE,
    pareto          BOOLEAN,
    missing_cells   INTEGER NOT NULL
);

CREATE TABLE saved_strata (
    name    VARCHAR NOT NULL,
    config  VARCHAR NOT NULL,
    stratum VARCHAR NOT NULL,
    tasks   INTEGER NOT NULL,
    tq      DOUBLE NOT NULL,
    aubqc   DOUBLE NOT NULL,
    efr     DOUBLE NOT NULL,
    ams     DOUBLE NOT NULL
);
