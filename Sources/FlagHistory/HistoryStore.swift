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
    /// The files that the history is in.
    private let footprint: HistoryFootprint

    /// Opens the history, or creates an empty one with file mode 0600.
    ///
    /// A file that is no history is refused and left as it is.
    ///
    /// - Parameter url: The file; its folder must exist.
    /// - Throws: Why the file can't be used, and what to do.
    public convenience init(url: URL) throws(HistoryStoreError) {
        try self.init(url: url, busyTimeout: .seconds(5))
    }

    /// Opens the history.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - busyTimeout: How long to wait for another process that writes.
    /// - Throws: Why the file can't be used, and what to do.
    package init(url: URL, busyTimeout: Duration) throws(HistoryStoreError) {
        self.url = url
        path = url.path
        do {
            pool = try Self.open(path, busyTimeout: busyTimeout)
            footprint = try HistoryFootprint(path)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Makes sure that the history is still in the files that were opened: SQLite goes on writing to removed ones.
    ///
    /// - Throws: Which one is gone or is another.
    public func checkInPlace() throws(HistoryStoreError) {
        do {
            try footprint.check()
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Runs one write transaction, which takes the write lock at its start.
    ///
    /// What was written to a removed file is lost, so the files are looked at once more when it is done.
    func write<Value>(_ body: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        do {
            try footprint.check()
            let value = try pool.write(body)
            try footprint.check()
            return value
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Runs reads on one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryStoreError) -> Value {
        do {
            return try pool.read(body)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }
}
