import GRDB

extension HistoryStore {
    /// How the table of rows of the first release ends its list of kinds.
    private static let kindsOfFirstRelease = "'prune', 'accept'))"
    /// The same with the kind of a reason that is given for an earlier change.
    private static let kindsWithNotes = "'prune', 'accept', 'note'))"

    /// Lets rows be reasons that are given for earlier changes.
    ///
    /// No row is read or written anew for it, however many there are: a check of a table is only what the schema says of it, which
    /// takes one word more, in the steps that SQLite's documentation of ALTER TABLE names for that (section 7). They are part of
    /// the migration's transaction, so that a crash leaves the table as it was.
    static func allowNotes(_ db: Database) throws {
        let columns = try columnsOfRows(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA writable_schema = ON")
        let change = Result {
            try db.execute(
                sql: """
                    UPDATE sqlite_schema SET sql = replace(sql, :old, :new)
                    WHERE type = 'table' AND name = 'history' AND instr(sql, :old)
                    """, arguments: ["old": kindsOfFirstRelease, "new": kindsWithNotes])
            let count = db.changesCount
            // Every connection, this one too, reads the schema anew at its next statement.
            try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
            return count
        }
        try db.execute(sql: "PRAGMA writable_schema = OFF")
        guard try change.get() == 1, !columns.isEmpty, try columnsOfRows(db) == columns else {
            throw HistoryStoreError.AbortError(.corrupt("its table of rows is not the one that was made"))
        }
    }

    /// The columns of the table of rows, as SQLite reads them in the schema.
    private static func columnsOfRows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT * FROM pragma_table_info('history')")
    }
}
