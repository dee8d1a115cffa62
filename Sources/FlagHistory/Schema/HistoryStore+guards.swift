import GRDB

extension HistoryStore {
    /// The triggers that refuse changes, as the schema holds them.
    private static let guardStatements: Set<String> = {
        let ending = "END;"
        let statements = [guards, signingGuards, searchGuards].joined(separator: "\n\n").split(separator: "\n\n").map {
            statement in
            String(statement.drop { $0.isWhitespace })
        }
        return Set(statements.map { $0.hasSuffix(ending) ? String($0.dropLast()) : $0 })
    }()

    /// Whether exactly the triggers are there that should be.
    static func hasGuards(_ db: Database) throws -> Bool {
        try String.fetchSet(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'") == guardStatements
    }

    /// Runs what the triggers refuse, and puts them back; within a transaction, nobody else sees the history without.
    static func withoutGuards(_ db: Database, _ body: () throws -> Void) throws {
        for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
        }
        try body()
        try db.execute(sql: guards)
        try db.execute(sql: signingGuards)
        try db.execute(sql: searchGuards)
    }
}
