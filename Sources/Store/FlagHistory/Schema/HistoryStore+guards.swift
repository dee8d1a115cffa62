import GRDB

extension HistoryStore {
    /// What refuses changes of the history, and keeps the hours in step with the rows, whichever program adds them.
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

    /// The guards, as the schema holds them.
    private static let guardStatements = Set(guards.split(separator: "\n\n").map { String($0.dropLast()) })

    /// Whether exactly the triggers are there that should be.
    static func hasGuards(_ db: Database) throws -> Bool {
        try String.fetchSet(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'") == guardStatements
    }

    /// Runs what the triggers refuse, and puts them back; within a transaction, no other connection sees the history without.
    static func withoutGuards(_ db: Database, _ body: () throws -> Void) throws {
        for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
        }
        try body()
        try db.execute(sql: guards)
    }
}
