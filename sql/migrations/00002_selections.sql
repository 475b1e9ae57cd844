-- Version 2: selected wordings, frozen before any target ran them, and the
-- intervals of saved scores.

-- Selections never change. document is the whole of one as JSON; the table
-- below says the same for SQL.
CREATE TABLE selections (
    digest       VARCHAR NOT NULL,
    gate_sha256  VARCHAR NOT NULL,
    choices      INTEGER NOT NULL,
    selected     INTEGER NOT NULL,
    fallbacks    INTEGER NOT NULL,
    created_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    amdb_version VARCHAR NOT NULL,
    document     VARCHAR NOT NULL
);

-- One row a task and source: the description that stands for the source's.
CREATE TABLE selection_choices (
    digest            VARCHAR NOT NULL,
    benchmark         VARCHAR NOT NULL,
    task              VARCHAR NOT NULL,
    source            VARCHAR NOT NULL,
    selected          VARCHAR NOT NULL,
    reward            DOUBLE,
    cost_usd          DOUBLE,
    original_reward   DOUBLE,
    original_cost_usd DOUBLE,
    candidates        INTEGER NOT NULL,
    preserved         INTEGER NOT NULL,
    reason            VARCHAR NOT NULL
);

-- The intervals of a saved leaderboard, where it was made with --ci.
CREATE TABLE saved_intervals (
    name       VARCHAR NOT NULL,
    config     VARCHAR NOT NULL,
    ams_lo     DOUBLE,
    ams_hi     DOUBLE,
    rank_lo    INTEGER,
    rank_hi    INTEGER,
    p_best     DOUBLE,
    tier       INTEGER NOT NULL,
    degenerate BOOLEAN NOT NULL,
    draws      INTEGER NOT NULL,
    seed       UBIGINT NOT NULL,
    confidence DOUBLE NOT NULL
);
