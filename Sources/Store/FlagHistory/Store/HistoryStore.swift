import DurableFiles
import Foundation
import GRDB

/// The audit trail in SQLite: append-only, each row chained to the one before by SHA-256.
///
/// Use one store for each file in a process. Writes are serial, and durable on return; reads see the last committed
/// state without waiting. Methods may be called from any thread, and block it.
package final class HistoryStore: Sendable {
    package let url: URL
    let pool: DatabasePool
    let path: String
    let changedPaths = ChangedPaths()
    let known = KnownRows()
    let rowReader: RowReader
    let names: ProviderNames
    let decodedDefinitions = DecodedTexts.definitions()
    let decodedKeys = DecodedTexts.keys()
    let decodedValues = DecodedTexts.values()
    /// `nil` if opened for reading.
    private let footprint: OpenFileCheck?
    let checkpoints: CheckpointWriter?
    private let report: @Sendable (String) -> Void
    /// Receives the counts of rows once they are durable.
    let recorded: @Sendable (RecordedRows) -> Void

    /// Opens the history, or creates an empty one with file mode 0600.
    ///
    /// Leaves a file that is no history as it is. A new one gets a signing key and checkpoints beside it
    /// (``SigningFiles``), with the same mode. `report` receives news for the operator, such as why signing stopped,
    /// without a full stop.
    package convenience init(
        url: URL, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(HistoryStoreError) {
        try self.init(url: url, busyTimeout: .seconds(5), report: report)
    }

    package init(
        url: URL, busyTimeout: Duration, report: @escaping @Sendable (String) -> Void = { _ in },
        recorded: @escaping @Sendable (RecordedRows) -> Void = { _ in }, names: ProviderNames = .same
    ) throws(HistoryStoreError) {
        self.url = url
        self.names = names
        self.report = report
        self.recorded = recorded
        path = url.path
        rowReader = RowReader(names) { [path] row, isMissing in
            report("The history \(path) was altered: row \(row) is \(isMissing ? "missing" : "not as recorded")")
        }
        do {
            pool = try Self.open(path, busyTimeout: busyTimeout, decodedKeys, decodedDefinitions)
            footprint = try OpenFileCheck(path)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
        let companions = SigningFiles(of: url)
        checkpoints = CheckpointWriter(companions, pool, report: report)
        if let mode = AtomicFile.look(at: companions.key)?.mode, mode & 0o077 != 0 {
            report(
                "other users can read or write \(companions.key.path) (mode \(String(mode, radix: 8))), with which they "
                    + "could sign a forged history. Run chmod 600 on it")
        }
    }

    /// Checks that the opened files are in place and the log is whole: SQLite would go on writing to removed ones.
    package func checkInPlace() throws(HistoryStoreError) {
        do {
            try footprint?.check(pool)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Opens an existing history for reading: nothing is written, signed or migrated.
    package init(reading url: URL, names: ProviderNames = .same) throws(HistoryStoreError) {
        self.url = url
        self.names = names
        path = url.path
        do {
            pool = try Self.openForReading(path)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
        report = { _ in }
        rowReader = RowReader(names) { _, _ in }
        recorded = { _ in }
        checkpoints = nil
        footprint = nil
    }

    /// A clause; `nil` while signing, or if opened for reading.
    package var signingProblem: String? { checkpoints?.problem }

    /// Signs that no row follows, and closes the file once no reader uses it.
    ///
    /// Every row is then in the one file, unless another process has it open. A store that is only released leaves
    /// SQLite's log, without which a copy might lack the newest rows.
    package func close() {
        checkpoints?.close()
        // The last connection must be the writer, so that SQLite removes its log.
        pool.invalidateReadOnlyConnections()
        do {
            try pool.close()
        } catch {
            report("The history \(path) was closed with its log beside it; the next start reads that log: \(error)")
        }
    }

    /// Runs a transaction that takes the write lock at its start, and signs the result.
    ///
    /// Checks the files again afterwards, since writes to a removed file are lost. `patience` is the time to wait for
    /// another writer; `nil` for the default.
    func write<Value>(
        patience: Duration? = nil, _ body: (Database) throws -> Value
    ) throws(HistoryStoreError) -> Value {
        do {
            try footprint?.check(pool)
            let (value, due) = try makingRoom {
                try pool.writeWithoutTransaction { db in
                    try Self.waiting(patience, db) {
                        try Self.inTransaction(.immediate, db) { (try body(db), checkpoints?.due(db)) }
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

    /// Retries if the disk is full but the log, once written back, can be reused.
    private func makingRoom<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            guard Self.writeLogBack(pool) else { throw error }
            return try body()
        }
    }

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

    private static func inTransaction<Value>(
        _ kind: Database.TransactionKind, _ db: Database, _ body: () throws -> Value
    ) throws -> Value {
        var value: Value?
        try db.inTransaction(kind) {
            value = try body()
            return .commit
        }
        guard let value else { throw DatabaseError(message: "the transaction did not run") }
        return value
    }

    /// Runs several reads in one transaction, so that they show the same moment; nothing may be written inside.
    package func atOneMoment<Value>(
        _ reads: () throws(HistoryStoreError) -> Value
    ) throws(HistoryStoreError) -> Value {
        try read { db in
            try Self.$moment.withValue(Moment(store: ObjectIdentifier(self), connection: db)) { try reads() }
        }
    }

    /// The connection of an ``atOneMoment(_:)``, for the reads inside.
    ///
    /// They don't ask the pool for it: one that is being closed waits for the moment's end, and would have them wait for
    /// its own.
    private struct Moment: @unchecked Sendable {
        let store: ObjectIdentifier
        /// Only used inside the call, which is on one thread.
        let connection: Database
    }

    @TaskLocal private static var moment: Moment?

    private var moment: Database? {
        guard let moment = Self.moment, moment.store == ObjectIdentifier(self) else { return nil }
        return moment.connection
    }

    /// Runs a read in a transaction: that of ``atOneMoment(_:)`` around it, or else its own.
    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        try reading { try moment.map(body) ?? pool.read(body) }
    }

    /// For a single statement, which needs no transaction.
    func readAtOnce<Value>(_ statement: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        try reading { try moment.map(statement) ?? pool.unsafeRead(statement) }
    }

    private func reading<Value>(_ body: () throws -> Value) throws(HistoryStoreError) -> Value {
        do {
            return try body()
        } catch {
            // A connection opened for the read fails with a less exact error.
            try checkInPlace()
            throw HistoryStoreError(error, path: path)
        }
    }
}
