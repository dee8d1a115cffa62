-- The six layouts that a history had before the first release, each made from the one before, with rows in it.

--- 1 history, intents and heads
PRAGMA application_id = 1178757225;

CREATE TABLE history (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    batch TEXT NOT NULL CHECK (length(batch) = 36),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('form', 'api', 'cli', 'import', 'revert', 'external', 'code')),
    kind TEXT NOT NULL CHECK (kind IN (
        'set', 'reset', 'define', 'redefine', 'lock', 'unlock', 'remove', 'external', 'aborted', 'denied')),
    provider TEXT,
    "key" TEXT NOT NULL,
    type TEXT CHECK (type IN (
        'bool', 'integer', 'double', 'string', 'date', 'data', 'url', 'choice', 'array', 'dictionary', 'json')),
    "before" TEXT,
    "after" TEXT,
    reason TEXT NOT NULL,
    request_id TEXT,
    idempotency_key TEXT,
    file_hash_before BLOB CHECK (length(file_hash_before) = 32),
    file_hash_after BLOB CHECK (length(file_hash_after) = 32),
    previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    path TEXT NOT NULL CHECK (path LIKE '%/')
) STRICT;

CREATE VIRTUAL TABLE history_search USING fts5(
    "key", actor, reason, "before", "after", tokenize = 'trigram case_sensitive 1');

CREATE TABLE intent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
    path TEXT NOT NULL,
    temporary_name TEXT NOT NULL,
    hash_before BLOB NOT NULL CHECK (length(hash_before) = 32),
    hash_after BLOB NOT NULL CHECK (length(hash_after) = 32),
    content_after BLOB,
    events TEXT NOT NULL CHECK (json_valid(events)),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE head (
    role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
    path TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    content BLOB,
    PRIMARY KEY (role, path)
) STRICT;

CREATE TRIGGER history_refuses_update BEFORE UPDATE ON history BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: no row may change');
END;

CREATE TRIGGER history_refuses_delete BEFORE DELETE ON history BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: no row may be removed');
END;

CREATE TRIGGER history_refuses_other_ids BEFORE INSERT ON history
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM history) BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: a row takes the next id');
END;

CREATE TRIGGER history_refuses_other_chains BEFORE INSERT ON history
WHEN NEW.previous_hash IS NOT coalesce((SELECT hash FROM history ORDER BY id DESC LIMIT 1), zeroblob(32)) BEGIN
    SELECT RAISE(ABORT, 'a row of the history names the hash of the row before');
END;

CREATE INDEX history_by_batch ON history (batch);
CREATE INDEX history_by_at ON history (at);
CREATE INDEX history_by_actor ON history (actor);
CREATE INDEX history_by_origin ON history (origin);
CREATE INDEX history_by_kind ON history (kind);
CREATE INDEX history_by_path ON history (path);
CREATE INDEX history_by_idempotency_key ON history (idempotency_key) WHERE idempotency_key IS NOT NULL;

INSERT INTO history VALUES (1, 'A0000000-0000-0000-0000-000000000001', 1790000000000000, 'Ada', 'admin', 'form', 'set',
    'Local', 'ui/blue_text', 'bool', NULL, '{"bool":true}', 'kept before the first release', NULL, NULL, NULL, NULL,
    zeroblob(32), zeroblob(32), 'ui/blue_text/');
INSERT INTO intent (role, path, temporary_name, hash_before, hash_after, events, at)
    VALUES ('values', '/flags.xml', '.flags.xml.tmp', zeroblob(32), zeroblob(32), '[]', 1790000000000000);
INSERT INTO grdb_migrations VALUES ('1 history, intents and heads');

--- 2 intents of several files, and answers
CREATE TABLE intent_file (
    intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
    path TEXT NOT NULL,
    temporary_name TEXT NOT NULL,
    hash_before BLOB NOT NULL CHECK (length(hash_before) = 32),
    hash_after BLOB NOT NULL CHECK (length(hash_after) = 32),
    content_after BLOB,
    UNIQUE (intent, role, path)
) STRICT;
INSERT INTO intent_file SELECT id, role, path, temporary_name, hash_before, hash_after, content_after
    FROM intent;
ALTER TABLE intent DROP COLUMN role;
ALTER TABLE intent DROP COLUMN path;
ALTER TABLE intent DROP COLUMN temporary_name;
ALTER TABLE intent DROP COLUMN hash_before;
ALTER TABLE intent DROP COLUMN hash_after;
ALTER TABLE intent DROP COLUMN content_after;
ALTER TABLE intent ADD COLUMN answers TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(answers));

CREATE TABLE answer (
    actor TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    request BLOB NOT NULL CHECK (length(request) = 32),
    rows TEXT NOT NULL CHECK (json_valid(rows)),
    PRIMARY KEY (actor, idempotency_key)
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('2 intents of several files, and answers');

--- 3 signatures, anchors and what is done to the history
CREATE TABLE history_2 (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    batch TEXT NOT NULL CHECK (length(batch) = 36),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('form', 'api', 'cli', 'import', 'revert', 'external', 'code')),
    kind TEXT NOT NULL CHECK (kind IN (
        'set', 'reset', 'define', 'redefine', 'lock', 'unlock', 'remove', 'external', 'aborted', 'denied',
        'prune', 'accept')),
    provider TEXT,
    "key" TEXT NOT NULL,
    type TEXT CHECK (type IN (
        'bool', 'integer', 'double', 'string', 'date', 'data', 'url', 'choice', 'array', 'dictionary', 'json')),
    "before" TEXT,
    "after" TEXT,
    reason TEXT NOT NULL,
    request_id TEXT,
    idempotency_key TEXT,
    file_hash_before BLOB CHECK (length(file_hash_before) = 32),
    file_hash_after BLOB CHECK (length(file_hash_after) = 32),
    previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    path TEXT NOT NULL CHECK (path LIKE '%/')
) STRICT;
INSERT INTO history_2 SELECT * FROM history;
DROP TABLE history;
ALTER TABLE history_2 RENAME TO history;

CREATE TABLE signing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    public_key BLOB NOT NULL CHECK (length(public_key) = 32)
) STRICT;

CREATE TABLE anchor (
    last INTEGER PRIMARY KEY CHECK (last >= first),
    first INTEGER NOT NULL CHECK (first > 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    archive TEXT NOT NULL,
    archive_hash BLOB NOT NULL CHECK (length(archive_hash) = 32),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

CREATE TRIGGER history_refuses_update BEFORE UPDATE ON history BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: no row may change');
END;

CREATE TRIGGER history_refuses_delete BEFORE DELETE ON history BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: no row may be removed');
END;

CREATE TRIGGER history_refuses_other_ids BEFORE INSERT ON history
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM history) BEGIN
    SELECT RAISE(ABORT, 'the history is append-only: a row takes the next id');
END;

CREATE TRIGGER history_refuses_other_chains BEFORE INSERT ON history
WHEN NEW.previous_hash IS NOT coalesce((SELECT hash FROM history ORDER BY id DESC LIMIT 1), zeroblob(32)) BEGIN
    SELECT RAISE(ABORT, 'a row of the history names the hash of the row before');
END;

CREATE TRIGGER signing_key_refuses_update BEFORE UPDATE ON signing_key BEGIN
    SELECT RAISE(ABORT, 'the signing key of a history stays');
END;

CREATE TRIGGER signing_key_refuses_delete BEFORE DELETE ON signing_key BEGIN
    SELECT RAISE(ABORT, 'the signing key of a history stays');
END;

CREATE TRIGGER anchor_refuses_update BEFORE UPDATE ON anchor BEGIN
    SELECT RAISE(ABORT, 'an anchor of the history may not change');
END;

CREATE TRIGGER anchor_refuses_delete BEFORE DELETE ON anchor BEGIN
    SELECT RAISE(ABORT, 'an anchor of the history may not be removed');
END;

CREATE INDEX history_by_batch ON history (batch);
CREATE INDEX history_by_at ON history (at);
CREATE INDEX history_by_actor ON history (actor);
CREATE INDEX history_by_origin ON history (origin);
CREATE INDEX history_by_kind ON history (kind);
CREATE INDEX history_by_path ON history (path);
CREATE INDEX history_by_idempotency_key ON history (idempotency_key) WHERE idempotency_key IS NOT NULL;

INSERT INTO signing_key VALUES (1, zeroblob(32));
INSERT INTO grdb_migrations VALUES ('3 signatures, anchors and what is done to the history');

--- 4 indexes for every mixture of filters
DROP INDEX history_by_actor;
DROP INDEX history_by_origin;
DROP INDEX history_by_kind;
DROP INDEX history_by_path;
CREATE INDEX history_by_origin ON history (origin, kind);
CREATE INDEX history_by_actor ON history (actor, origin, kind);
CREATE INDEX history_by_path ON history (path, origin, kind);
CREATE INDEX history_by_path_alone ON history (path);
CREATE INDEX history_by_path_and_actor ON history (path, actor, origin, kind);

CREATE TABLE history_hour (
    hour INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first)
) STRICT;
INSERT INTO history_hour SELECT at / 3600000000, min(id), max(id) FROM history GROUP BY 1;

CREATE TRIGGER history_is_noted_by_hour AFTER INSERT ON history BEGIN
    INSERT INTO history_hour (hour, first, last) VALUES (NEW.at / 3600000000, NEW.id, NEW.id)
        ON CONFLICT (hour) DO UPDATE SET last = NEW.id;
END;
INSERT INTO grdb_migrations VALUES ('4 indexes for every mixture of filters');

--- 5 changes by provider and key path
CREATE INDEX history_by_subject ON history (provider, path, id, type, kind) WHERE kind NOT IN ('aborted', 'denied', 'prune', 'accept');
INSERT INTO grdb_migrations VALUES ('5 changes by provider and key path');

--- 6 restarts
CREATE TABLE restart (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    last_row INTEGER NOT NULL CHECK (last_row >= 0),
    at INTEGER,
    actor TEXT NOT NULL
) STRICT;
INSERT INTO restart (last_row, at, actor) SELECT coalesce(max(id), 0), NULL, '' FROM history;
INSERT INTO grdb_migrations VALUES ('6 restarts');
