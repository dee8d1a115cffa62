import FeatureFlags
import GRDB
import Synchronization

/// Reads rows, and checks each against its hash and the next row.
///
/// Every displayed row passes here, so that altered ones are marked, and gaps beside them are noticed.
final class RowReader: Sendable {
    /// A history with more altered rows is useless anyway.
    private static let mostRemembered = 1000

    private let found = Mutex<Set<Int64>>([])
    /// Receives each row first found altered or missing.
    private let report: @Sendable (Int64, _ isMissing: Bool) -> Void
    let names: ProviderNames

    init(_ names: ProviderNames, report: @escaping @Sendable (Int64, _ isMissing: Bool) -> Void) {
        (self.names, self.report) = (names, report)
    }

    /// The rows altered when last read, or missing beside one that was, oldest first.
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
        try noteMissingBeginning(db)
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
        if row.hashNamedBehind == nil { try noteMissing(after: id, db) }
        if isSound {
            found.withLock { if !$0.isEmpty { $0.remove(id) } }
        } else {
            note(id, isMissing: false)
        }
        return !isSound
    }

    private func note(_ id: Int64, isMissing: Bool) {
        let isNew = found.withLock { $0.count < Self.mostRemembered && $0.insert(id).inserted }
        if isNew { report(id, isMissing) }
    }

    /// Notes a row that was removed where later ones are left.
    private func noteMissing(after id: Int64, _ db: Database) throws {
        let next = try db.cachedStatement(sql: "SELECT min(id) FROM history WHERE id > ?")
        guard let next = try Int64.fetchOne(next, arguments: [id]), next != id &+ 1 else { return }
        note(id &+ 1, isMissing: true)
    }

    /// Notes that the first rows were removed, except by a pruning.
    private func noteMissingBeginning(_ db: Database) throws {
        guard let first = try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(id) FROM history")), first > 1 else {
            return
        }
        let anchor = try db.cachedStatement(sql: "SELECT 1 FROM anchor WHERE last = ?")
        if try Int64.fetchOne(anchor, arguments: [first - 1]) == nil { note(first - 1, isMissing: true) }
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
