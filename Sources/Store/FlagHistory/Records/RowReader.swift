import FeatureFlags
import GRDB
import Synchronization

/// Reads rows, and checks each against its hash and the next row.
///
/// Every displayed row passes here, so that altered ones are marked.
final class RowReader: Sendable {
    /// A history with more altered rows is useless anyway.
    private static let mostRemembered = 1000

    private let found = Mutex<Set<Int64>>([])
    /// Receives each row first found altered.
    private let report: @Sendable (Int64) -> Void
    let names: ProviderNames

    init(_ names: ProviderNames, report: @escaping @Sendable (Int64) -> Void) {
        (self.names, self.report) = (names, report)
    }

    /// The rows altered when last read, oldest first.
    var altered: [Int64] { found.withLock { $0.sorted() } }

    /// Returns what to select first: ``HistoryColumn/selection(of:_:)`` and the next row's previous hash.
    static func columns(of table: String = "history", _ db: Database) throws -> String {
        try HistoryColumn.selection(of: table, db)
            + ", (SELECT behind.previous_hash FROM history AS behind WHERE behind.id = \(table).id + 1)"
    }

    /// Reads the rows of a statement that selects ``columns(of:_:)`` first.
    func forEach(
        of statement: Statement, _ arguments: StatementArguments? = nil, _ db: Database,
        _ body: (Row, _ isAltered: Bool) throws -> Void
    ) throws {
        // Rows read in place are not copied.
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        let columns = HashedColumns(statement)
        var check = RowCheck()
        while let row = try rows.next() { try body(row, try isAltered(columns, &check, db)) }
    }

    func forEach(of query: SQL, _ db: Database, _ body: (Row, _ isAltered: Bool) throws -> Void) throws {
        let request = try SQLRequest<Row>(literal: query, cached: true).makePreparedRequest(db, forSingleResult: false)
        try forEach(of: request.statement, nil, db, body)
    }

    func records(_ selection: SQL, _ db: Database) throws -> [HistoryRecord] {
        var records: [HistoryRecord] = []
        try forEach(of: "SELECT \(sql: Self.columns(db)) FROM history \(selection)", db) { row, isAltered in
            records.append(names.shown(try HistoryRecord(row, isAltered: isAltered)))
        }
        return records
    }

    /// Returns rows in the order of `ids`.
    func records(_ ids: [Int64], _ db: Database) throws -> [HistoryRecord] {
        let list = "[" + ids.map { String($0) }.joined(separator: ",") + "]"
        let records = try records("WHERE id IN (SELECT value FROM json_each(\(list)))", db)
        let places = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { places[$0] }
    }

    private func isAltered(_ row: HashedColumns, _ check: inout RowCheck, _ db: Database) throws -> Bool {
        let isSound = try check.isSound(row) && isFollowed(row, db)
        guard let id = row.number(.id) else { return true }
        let isNew = found.withLock { found in
            if isSound {
                if !found.isEmpty { found.remove(id) }
                return false
            }
            return found.count < Self.mostRemembered && found.insert(id).inserted
        }
        if isNew { report(id) }
        return !isSound
    }

    /// Returns `true` if the next row names this row's hash; reveals a row rewritten with its own hash.
    private func isFollowed(_ row: HashedColumns, _ db: Database) throws -> Bool {
        guard let named = row.hashNamedBehind, let hash = row.bytes(.hash), !named.elementsEqual(hash),
            let id = row.number(.id)
        else { return true }
        // The next row may be the altered one.
        let statement = try db.cachedStatement(sql: "SELECT \(HistoryColumn.selection(db)) FROM history WHERE id = ?")
        let behind = try Row.fetchCursor(statement, arguments: [id &+ 1])
        let columns = HashedColumns(statement)
        var check = RowCheck()
        let isBehindSound = try behind.next() != nil && check.isSound(columns)
        while try behind.next() != nil {}
        return !isBehindSound
    }
}
