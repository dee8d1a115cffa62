import GRDB

extension HistoryStore {
    /// `FBhi` in the file's header.
    static let applicationID: Int32 = 0x4642_6869

    /// The first migration of histories from before the first release, which are not supported.
    static let unreleased = "1 history, intents and heads"

    static let firstRelease = "1"

    /// Shipped migrations never change: a new layout is a new migration.
    static func migrator(_ companions: SigningFiles) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(firstRelease, foreignKeyChecks: .immediate) { db in
            try db.execute(sql: tables)
            try db.execute(sql: indexes)
            try db.execute(sql: guards)
            try beginSigning(companions, db)
        }
        migrator.registerMigration("2", foreignKeyChecks: .immediate, migrate: allowNotes)
        migrator.registerMigration("3", foreignKeyChecks: .immediate, migrate: allowAnyType)
        for column in HistoryColumn.later {
            migrator.registerMigration("column \(column.name)", foreignKeyChecks: .immediate) { try add(column, $0) }
        }
        return migrator
    }

    /// The tables of the first release.
    ///
    /// An answer lists the row of each change, or null where nothing changed. A head's numbered edits follow its
    /// content, each with the total size so far: a change of a large file adds only its edit. The first restart marks
    /// the time from which the history knows what waits for the next one.
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
                'set', 'reset', 'define', 'redefine', 'lock', 'unlock', 'remove', 'external', 'aborted', 'denied',
                'prune', 'accept')),
            provider TEXT,
            "key" TEXT NOT NULL,
            \(typesOfFirstRelease)
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

        \(searchTable)

        CREATE TABLE history_hour (
            hour INTEGER PRIMARY KEY,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL CHECK (last >= first)
        ) STRICT;

        CREATE TABLE intent (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            events TEXT NOT NULL CHECK (json_valid(events)),
            answers TEXT NOT NULL CHECK (json_valid(answers)),
            at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE intent_file (
            intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
            path TEXT NOT NULL,
            temporary_name TEXT NOT NULL,
            hash_before BLOB NOT NULL CHECK (length(hash_before) = 32),
            hash_after BLOB NOT NULL CHECK (length(hash_after) = 32),
            edit BLOB,
            UNIQUE (intent, role, path)
        ) STRICT;

        CREATE TABLE answer (
            actor TEXT NOT NULL,
            idempotency_key TEXT NOT NULL,
            request BLOB NOT NULL CHECK (length(request) = 32),
            rows TEXT NOT NULL CHECK (json_valid(rows)),
            PRIMARY KEY (actor, idempotency_key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE head (
            role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
            path TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            PRIMARY KEY (role, path)
        ) STRICT;

        CREATE TABLE head_content (
            role TEXT NOT NULL,
            path TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (role, path)
        ) STRICT;

        CREATE TABLE head_edit (
            role TEXT NOT NULL,
            path TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            size INTEGER NOT NULL CHECK (size >= 0),
            edit BLOB NOT NULL,
            PRIMARY KEY (role, path, number),
            FOREIGN KEY (role, path) REFERENCES head_content (role, path) ON DELETE CASCADE
        ) STRICT;

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

        CREATE TABLE restart (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            last_row INTEGER NOT NULL CHECK (last_row >= 0),
            at INTEGER,
            actor TEXT NOT NULL
        ) STRICT;
        INSERT INTO restart (last_row, at, actor) VALUES (0, NULL, '');
        """

    /// The indexes of the first release.
    ///
    /// Each ends with the id, the order of every page. In the filters' indexes, rows of one flag, actor, origin and
    /// kind are together, so that no mixture of filters reads many other rows.
    private static let indexes = """
        CREATE INDEX history_by_batch ON history (batch);
        CREATE INDEX history_by_at ON history (at);
        CREATE INDEX history_by_idempotency_key ON history (idempotency_key) WHERE idempotency_key IS NOT NULL;
        CREATE INDEX history_by_origin ON history (origin, kind);
        CREATE INDEX history_by_actor ON history (actor, origin, kind);
        CREATE INDEX history_by_path ON history (path, origin, kind);
        CREATE INDEX history_by_path_alone ON history (path);
        CREATE INDEX history_by_path_and_actor ON history (path, actor, origin, kind);
        CREATE INDEX history_by_subject ON history (provider, path, id, type, kind)
            WHERE kind NOT IN ('aborted', 'denied', 'prune', 'accept');
        """
}

extension HistoryStore {
    private static let kindsOfFirstRelease = "'prune', 'accept'))"
    private static let kindsWithNotes = "'prune', 'accept', 'note'))"

    private static let typesOfFirstRelease = """
        type TEXT CHECK (type IN (
                'bool', 'integer', 'double', 'string', 'date', 'data', 'url', 'choice', 'array', 'dictionary', 'json')),
        """
    /// A list of types would have to know each new one.
    private static let anyType = "type TEXT,"

    static func allowNotes(_ db: Database) throws { try change(kindsOfFirstRelease, to: kindsWithNotes, db) }

    /// Takes the list of types out of the schema, so that a new type needs no migration.
    ///
    /// A version that lacks a type calls its rows unreadable.
    static func allowAnyType(_ db: Database) throws { try change(typesOfFirstRelease, to: anyType, db) }

    /// Adds an optional column at the table's end; null in the rows there are.
    ///
    /// `ALTER TABLE` would read all rows in some versions of SQLite, and refuse altered ones.
    static func add(_ column: HistoryColumn, _ db: Database) throws {
        try change(
            "\n) STRICT", to: ",\n    \"\(column.name)\" \(column.content.rawValue)\n) STRICT", adding: column, db)
    }

    /// Changes a text of the table of rows.
    ///
    /// Touches no row: only the schema's text changes, by the steps in SQLite's documentation of ALTER TABLE (section
    /// 7). It is part of the migration's transaction, so that a crash leaves the table as it was.
    private static func change(_ text: String, to new: String, adding column: HistoryColumn? = nil, _ db: Database)
        throws
    {
        let columns = try columnsOfRows(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA writable_schema = ON")
        let change = Result {
            try db.execute(
                sql: """
                    UPDATE sqlite_schema SET sql = replace(sql, :old, :new)
                    WHERE type = 'table' AND name = 'history' AND instr(sql, :old)
                    """, arguments: ["old": text, "new": new])
            let count = db.changesCount
            // Makes every connection, this one too, reload the schema at its next statement.
            try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
            return count
        }
        try db.execute(sql: "PRAGMA writable_schema = OFF")
        guard try change.get() == 1, !columns.isEmpty,
            try columnsOfRows(db).dropLast(column == nil ? 0 : 1) == columns[...]
        else {
            throw HistoryStoreError(.corrupt("its table of rows is not the original one"))
        }
    }

    private static func columnsOfRows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT * FROM pragma_table_info('history')")
    }
}

extension HistoryStore {
    /// The triggers that refuse changes and update the hours, whichever program adds rows.
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

        CREATE TRIGGER history_is_noted_by_hour AFTER INSERT ON history BEGIN
            INSERT INTO history_hour (hour, first, last) VALUES (NEW.at / 3600000000, NEW.id, NEW.id)
                ON CONFLICT (hour) DO UPDATE SET last = NEW.id;
        END;
        """

    private static let guardStatements = Set(guards.split(separator: "\n\n").map { String($0.dropLast()) })

    static func hasGuards(_ db: Database) throws -> Bool {
        try String.fetchSet(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'") == guardStatements
    }

    /// Runs a body without the triggers and restores them.
    ///
    /// In a transaction, so that no other connection sees the history without them.
    static func withoutGuards(_ db: Database, _ body: () throws -> Void) throws {
        for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
        }
        try body()
        try db.execute(sql: guards)
    }
}
