import GRDB

extension HistoryStore {
    /// Marks the file as a history of Flagboard: `FBhi` in the file's header.
    static let applicationID: Int32 = 0x4642_6869

    /// What was shipped never changes: a new shape is a new migration.
    static func migrator(_ companions: SigningFiles) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 history, intents and heads", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: tables)
            try db.execute(sql: guards)
            try db.execute(sql: indexes)
        }
        migrator.registerMigration("2 intents of several files, and answers", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: intentFiles)
            try db.execute(sql: answers)
        }
        migrator.registerMigration(
            "3 signatures, anchors and what is done to the history", foreignKeyChecks: .immediate
        ) { db in
            try db.execute(sql: signingTables)
            try db.execute(sql: guards)
            try db.execute(sql: signingGuards)
            try db.execute(sql: indexes)
            try beginSigning(companions, db)
        }
        migrator.registerMigration("4 indexes for every mixture of filters", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: searchTables)
            try db.execute(sql: searchGuards)
        }
        migrator.registerMigration("5 changes by provider and key path") { db in try db.execute(sql: subjectIndex) }
        migrator.registerMigration("6 restarts", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: restarts)
        }
        return migrator
    }

    private static let tables = """
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
        """

    static let guards = """
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
        """

    /// An index ends with the id by itself, which is the order of every page.
    static let indexes = """
        CREATE INDEX history_by_batch ON history (batch);
        CREATE INDEX history_by_at ON history (at);
        CREATE INDEX history_by_actor ON history (actor);
        CREATE INDEX history_by_origin ON history (origin);
        CREATE INDEX history_by_kind ON history (kind);
        CREATE INDEX history_by_path ON history (path);
        CREATE INDEX history_by_idempotency_key ON history (idempotency_key) WHERE idempotency_key IS NOT NULL;
        """

    private static let intentFiles = """
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
        """

    /// An answer names, for each change of its request, the row in the history, or null where nothing changed.
    private static let answers = """
        CREATE TABLE answer (
            actor TEXT NOT NULL,
            idempotency_key TEXT NOT NULL,
            request BLOB NOT NULL CHECK (length(request) = 32),
            rows TEXT NOT NULL CHECK (json_valid(rows)),
            PRIMARY KEY (actor, idempotency_key)
        ) STRICT, WITHOUT ROWID;
        """
}
