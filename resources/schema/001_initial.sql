-- Reprise store, schema 1. Described in core/store/README.md.
-- Every row but those of `journal` and `body` follows from the journal: core/store/projector.cpp writes it.

CREATE TABLE store (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    store_id     TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('live', 'sandbox')),
    created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
    entry        INTEGER PRIMARY KEY,          -- 1, 2, 3 … without gaps
    at           INTEGER NOT NULL,             -- microseconds since 1970, UTC
    kind         TEXT NOT NULL,
    payload      TEXT NOT NULL,                -- canonical JSON
    hash         BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER journal_is_append_only_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_append_only_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- Content-addressed bytes: args, results, tool logs, acceptance checks. The same bytes stand here once.
CREATE TABLE body (
    sha256       BLOB PRIMARY KEY CHECK (length(sha256) = 32),
    size         INTEGER NOT NULL,
    bytes        BLOB                          -- NULL: pruned
) STRICT, WITHOUT ROWID;

CREATE TABLE contract (
    id           INTEGER PRIMARY KEY,
    sha256       BLOB NOT NULL UNIQUE,
    tool         TEXT NOT NULL,
    version      TEXT NOT NULL,
    timeout_ms   INTEGER NOT NULL,
    text         TEXT NOT NULL                 -- canonical JSON
) STRICT;

CREATE TABLE owner (
    id           INTEGER PRIMARY KEY,
    owner_id     TEXT NOT NULL UNIQUE,
    host         TEXT NOT NULL,
    boot_id      TEXT NOT NULL,
    pid          INTEGER NOT NULL,
    start_ticks  INTEGER NOT NULL
) STRICT;

CREATE TABLE run (
    id             INTEGER PRIMARY KEY,
    run_id         TEXT NOT NULL UNIQUE,       -- compared as bytes
    revision       INTEGER NOT NULL,
    seq_max        INTEGER NOT NULL,           -- largest seq ever used; -1: none
    label          TEXT NOT NULL,
    ordered        INTEGER NOT NULL,
    environment    TEXT NOT NULL,
    account        TEXT NOT NULL,
    dry_run        INTEGER NOT NULL,
    imported       INTEGER NOT NULL,
    source         TEXT NOT NULL,
    closed         INTEGER NOT NULL DEFAULT 0,
    -- summary, kept by the projector so that no view has to group over all actions
    actions        INTEGER NOT NULL DEFAULT 0,
    executed       INTEGER NOT NULL DEFAULT 0,
    replayed       INTEGER NOT NULL DEFAULT 0,
    executed_again INTEGER NOT NULL DEFAULT 0,
    in_doubt       INTEGER NOT NULL DEFAULT 0, -- actions in doubt or in flight now
    failed         INTEGER NOT NULL DEFAULT 0,
    conflicts      INTEGER NOT NULL DEFAULT 0,
    first_at       INTEGER,
    last_at        INTEGER
) STRICT;
-- Counters that change with every call have no index: each index is one more page to write. Runs in
-- doubt are found by action_in_doubt.
CREATE INDEX run_by_first_at ON run (first_at, id);
CREATE INDEX run_by_executed_again ON run (executed_again, id);
CREATE INDEX run_by_conflicts ON run (conflicts, id);
CREATE INDEX run_by_actions ON run (actions, id);

CREATE TABLE plan_revision (
    run          INTEGER NOT NULL REFERENCES run,
    revision     INTEGER NOT NULL,
    content      BLOB NOT NULL,
    planned_at   INTEGER NOT NULL,
    PRIMARY KEY (run, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE result (
    id           INTEGER PRIMARY KEY,
    status       TEXT NOT NULL,
    content_type TEXT NOT NULL,
    complete     INTEGER NOT NULL,
    body         BLOB,                         -- sha256 of a body; NULL: no result at all
    body_bytes   INTEGER NOT NULL,
    reference    TEXT NOT NULL,
    recorded_at  INTEGER NOT NULL,
    source       TEXT NOT NULL
) STRICT;

CREATE TABLE action (
    id             INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES run,
    seq            INTEGER NOT NULL CHECK (seq >= 0),
    revision       INTEGER NOT NULL,           -- the plan revision that added it
    key            BLOB NOT NULL UNIQUE CHECK (length(key) = 32),
    key_derived_at_import INTEGER NOT NULL,
    tool           TEXT NOT NULL,
    side_effect    INTEGER NOT NULL,
    contract       INTEGER NOT NULL REFERENCES contract,
    fingerprint    BLOB NOT NULL CHECK (length(fingerprint) = 32),
    args           BLOB NOT NULL,              -- sha256 of a body
    state          TEXT NOT NULL,
    reason         TEXT NOT NULL DEFAULT '',
    state_entry    INTEGER NOT NULL REFERENCES journal,
    attempts       INTEGER NOT NULL DEFAULT 0,
    calls          INTEGER NOT NULL DEFAULT 0,
    next_permit    TEXT,
    executed       INTEGER NOT NULL DEFAULT 0,
    executed_again INTEGER NOT NULL DEFAULT 0,
    replayed       INTEGER NOT NULL DEFAULT 0,
    conflicts      INTEGER NOT NULL DEFAULT 0,
    -- the claim it is under, or was under last
    claim_attempt  INTEGER,
    claim_epoch    INTEGER,
    claim_owner    INTEGER REFERENCES owner,
    claim_pid      INTEGER,
    claim_ticks    INTEGER,
    claim_sent_key TEXT,
    claim_at       INTEGER,
    first_at       INTEGER,                    -- first dispatch
    outcome_at     INTEGER,
    result         INTEGER REFERENCES result,
    recorded_by    TEXT NOT NULL DEFAULT '',
    acceptance     BLOB,                       -- sha256 of a body
    -- business meaning, from the contract's pointers
    business_kind  TEXT NOT NULL,
    currency       TEXT,
    amount_minor   INTEGER,
    payee          TEXT NOT NULL,
    order_ref      TEXT NOT NULL,
    undoes         TEXT NOT NULL,
    UNIQUE (run, seq)
) STRICT;
CREATE INDEX action_by_fingerprint ON action (fingerprint, run);
CREATE INDEX action_in_doubt ON action (state, claim_at) WHERE state IN ('in_doubt', 'in_flight');
CREATE INDEX action_by_payee ON action (payee, currency, amount_minor) WHERE payee <> '';
CREATE INDEX action_by_order ON action (order_ref, currency, amount_minor) WHERE order_ref <> '';
CREATE INDEX action_by_tool ON action (tool, run);

CREATE TABLE attempt (
    action       INTEGER NOT NULL REFERENCES action,
    n            INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    outcome      TEXT,
    epoch        INTEGER,
    started_at   INTEGER,
    ended_at     INTEGER,
    owner        INTEGER REFERENCES owner,
    who          TEXT NOT NULL DEFAULT '',     -- an operator or a probe
    sent_key     TEXT NOT NULL DEFAULT '',
    permit       TEXT NOT NULL DEFAULT '',
    result       INTEGER REFERENCES result,
    args         BLOB,                         -- sha256 of the args that a conflict refused
    reason       TEXT NOT NULL DEFAULT '',
    note         TEXT NOT NULL DEFAULT '',
    locator      TEXT NOT NULL DEFAULT '',
    tool_log     BLOB,
    PRIMARY KEY (action, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX result_by_reference ON result (reference) WHERE reference <> '';
