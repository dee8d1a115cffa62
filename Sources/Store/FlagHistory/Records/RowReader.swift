import FeatureFlags
import GRDB
import Synchronization

/// Reads rows of the history, each checked against its own hash and against the row behind it.
///
/// Whatever is shown of a row passes here, so that one which another program altered is known for that wherever it is shown.
final class RowReader: Sendable {
    /// How many altered rows are remembered: a history that has more of them is of no use anyway.
    private static let mostRemembered = 1000

    private let found = Mutex<Set<Int64>>([])
    /// Takes the number of a row that is found altered for the first time.
    private let report: @Sendable (Int64) -> Void

    /// Makes a reader.
    init(report: @escaping @Sendable (Int64) -> Void) { self.report = report }

    /// The rows that were altered when they were read last, oldest first.
    var altered: [Int64] { found.withLock { $0.sorted() } }

    /// What a statement asks for of each row before anything else: ``StoredEvent/columns``, the path, and the hash that the
    /// row behind names.
    static func columns(of table: String = "history") -> String {
        let columns = StoredEvent.Column.allCases.map { "\(table).\"\($0.name)\"" } + ["\(table).path"]
        return columns.joined(separator: ", ")
            + ", (SELECT behind.previous_hash FROM history AS behind WHERE behind.id = \(table).id + 1)"
    }

    /// Goes through the rows of a statement that asks for ``columns(of:)`` first.
    ///
    /// - Parameter arguments: What it is asked with; `nil` where it has that already.
    func forEach(
        of statement: Statement, _ arguments: StatementArguments? = nil, _ db: Database,
        _ body: (Row, _ isAltered: Bool) throws -> Void
    ) throws {
        // A row that is read where SQLite has it is not copied.
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        let columns = HashedColumns(statement)
        var check = RowCheck()
        while let row = try rows.next() { try body(row, try isAltered(columns, &check, db)) }
    }

    /// Goes through the rows of a query that asks for ``columns(of:)`` first.
    func forEach(of query: SQL, _ db: Database, _ body: (Row, _ isAltered: Bool) throws -> Void) throws {
        let request = try SQLRequest<Row>(literal: query, cached: true).makePreparedRequest(db, forSingleResult: false)
        try forEach(of: request.statement, nil, db, body)
    }

    /// The rows that a clause behind `FROM history` leaves.
    func records(_ selection: SQL, _ db: Database) throws -> [HistoryRecord] {
        var records: [HistoryRecord] = []
        try forEach(of: "SELECT \(sql: Self.columns()) FROM history \(selection)", db) { row, isAltered in
            records.append(try HistoryRecord(row, isAltered: isAltered))
        }
        return records
    }

    /// The rows of some ids, in their order.
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

    /// Whether the row behind names the hash of a row: one that was rewritten together with its own hash is found by that.
    private func isFollowed(_ row: HashedColumns, _ db: Database) throws -> Bool {
        guard let named = row.hashNamedBehind, let hash = row.bytes(.hash), !named.elementsEqual(hash),
            let id = row.number(.id)
        else { return true }
        // What the row behind names may itself have been altered, and its own hash tells.
        let statement = try db.cachedStatement(sql: "SELECT \(StoredEvent.columns), path FROM history WHERE id = ?")
        let behind = try Row.fetchCursor(statement, arguments: [id + 1])
        let columns = HashedColumns(statement)
        var check = RowCheck()
        let isBehindSound = try behind.next() != nil && check.isSound(columns)
        while try behind.next() != nil {}
        return !isBehindSound
    }
}
