import Foundation
import GRDB

/// The audit trail in SQLite: append-only, each row chained to the one before by SHA-256.
///
/// A process has one store for each file. Writes are serial and durable when they return; reads see the last committed
/// state and don't wait for writes. Every method may be called from any thread, and blocks it while the disk works.
public final class HistoryStore: Sendable {
    /// The history file.
    public let url: URL
    let pool: DatabasePool
    let path: String
    let changedPaths = ChangedPaths()
    let known = KnownRows()
    /// Reads rows, and knows which of them were altered.
    let rowReader: RowReader
    /// What definitions were: a flag has few of them, and a look at any moment reads one of each.
    let decodedDefinitions = DecodedTexts.definitions()
    let decodedKeys = DecodedTexts.keys()
    let decodedValues = DecodedTexts.values()
    /// The files that the history is in; `nil` where it was opened to be read.
    private let footprint: OpenFileCheck?
    /// Signs the head of the chain; `nil` where the history was opened to be read.
    let checkpoints: CheckpointWriter?
    private let report: @Sendable (String) -> Void
    /// Is told how many rows were stored, once they are durable.
    let recorded: @Sendable (RecordedRows) -> Void

    /// Opens the history, or creates an empty one with file mode 0600.
    ///
    /// A file that is no history is refused and left as it is. A new one gets a signing key and a file of checkpoints
    /// beside it (``SigningFiles``), with the same mode.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - report: Takes what an operator should know, such as why rows are not signed from now on, as a sentence without
    ///     its full stop.
    /// - Throws: Why the file can't be used, and what to do.
    public convenience init(
        url: URL, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(HistoryStoreError) {
        try self.init(url: url, busyTimeout: .seconds(5), report: report)
    }

    /// Opens the history.
    ///
    /// - Parameter url: The file; its folder must exist.
    package init(
        url: URL, busyTimeout: Duration, report: @escaping @Sendable (String) -> Void = { _ in },
        recorded: @escaping @Sendable (RecordedRows) -> Void = { _ in }
    ) throws(HistoryStoreError) {
        self.url = url
        self.report = report
        self.recorded = recorded
        path = url.path
        rowReader = RowReader { [path] in report("The history \(path) was altered: row \($0) is not what was recorded")
        }
        do {
            pool = try Self.open(path, busyTimeout: busyTimeout, decodedKeys, decodedDefinitions)
            footprint = try OpenFileCheck(path)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
        checkpoints = CheckpointWriter(SigningFiles(of: url), pool, report: report)
    }

    /// Makes sure that the history is still in the files that were opened, and its log whole: SQLite goes on writing to removed
    /// ones.
    ///
    /// - Throws: Which one is gone or is another.
    public func checkInPlace() throws(HistoryStoreError) {
        do {
            try footprint?.check(pool)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Opens a history that is there, to be read alone: nothing is written, signed or brought up to date.
    ///
    /// - Parameter url: The file.
    /// - Throws: Why the file can't be used, and what to do.
    public init(reading url: URL) throws(HistoryStoreError) {
        self.url = url
        path = url.path
        do {
            pool = try Self.openForReading(path)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
        report = { _ in }
        rowReader = RowReader { _ in }
        recorded = { _ in }
        checkpoints = nil
        footprint = nil
    }

    /// Why rows are not signed now, as a clause; `nil` while they are, or while the history is only read.
    public var signingProblem: String? { checkpoints?.problem }

    /// Signs that no row follows, and closes the file once no reader uses it any more.
    ///
    /// Nothing can be read or written by this store afterwards. Every row is in the history file alone then, unless another
    /// process has it open; a store that just goes away leaves SQLite's log beside it, and a copy of the one file might
    /// lack the newest rows.
    public func close() {
        checkpoints?.close()
        // SQLite clears its log away when the last connection is closed, which must be the one that writes.
        pool.invalidateReadOnlyConnections()
        do {
            try pool.close()
        } catch {
            report("The history \(path) is left with its log beside it, which the next start reads: \(error)")
        }
    }

    /// Runs one write transaction, which takes the write lock at its start, and signs what came of it.
    ///
    /// What was written to a removed file is lost, so the files are looked at once more when it is done.
    ///
    /// - Parameter patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    func write<Value>(
        patience: Duration? = nil, _ body: (Database) throws -> Value
    ) throws(HistoryStoreError) -> Value {
        do {
            try footprint?.check(pool)
            let (value, due) = try makingRoom {
                try pool.writeWithoutTransaction { db in
                    try Self.waiting(patience, db) {
                        try Self.inTransaction(db) { (try body(db), checkpoints?.due(db)) }
                    }
                }
            }
            try footprint?.check(pool)
            footprint?.noteCommit()
            checkpoints?.sign(due)
            return value
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Runs a body once more where the disk is full, but the log's own room can be used anew: once all that it holds is in the
    /// database, SQLite begins it again from its start.
    private func makingRoom<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            guard Self.writeLogBack(pool) else { throw error }
            return try body()
        }
    }

    /// Runs a body while another process that writes is waited for no longer than that.
    private static func waiting<Value>(
        _ patience: Duration?, _ db: Database, _ body: () throws -> Value
    ) throws -> Value {
        guard let patience else { return try body() }
        let usual = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(patience / .milliseconds(1)))")
        let result = Result { try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(usual)")
        return try result.get()
    }

    /// Runs a body in a transaction that takes the write lock at its start.
    private static func inTransaction<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
        var value: Value?
        try db.inTransaction(.immediate) {
            value = try body()
            return .commit
        }
        guard let value else { throw DatabaseError(message: "the transaction did not run") }
        return value
    }

    /// Runs reads on one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        try reading { try pool.read(body) }
    }

    /// Runs one statement that reads, which needs no transaction around it: each request comes by some of them.
    func readAtOnce<Value>(_ statement: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        try reading { try pool.unsafeRead(statement) }
    }

    private func reading<Value>(_ body: () throws -> Value) throws(HistoryStoreError) -> Value {
        do {
            return try body()
        } catch {
            // A connection that is opened for the read misses the files too, and knows less of why.
            try checkInPlace()
            throw HistoryStoreError(error, path: path)
        }
    }
}
