import GRDB

extension HistoryStore {
    /// More kinds of rows, which SQLite takes in a new table alone, and what the chain is proved by.
    static let signingTables = """
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
        """

    static let signingGuards = """
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
        """
}
