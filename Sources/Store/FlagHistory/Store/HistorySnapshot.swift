import DurableFiles
import Foundation
import GRDB

/// A history as it was at one moment, with what proves it: it can be copied while other processes write to it.
///
/// As long as it lives, SQLite's log beside the history keeps what was written since.
public final class HistorySnapshot: Sendable {
    /// The last row.
    public let head: ChainHead
    /// The signing key's file.
    public let key: Data
    /// The file of the checkpoints: the newest one may be behind ``head``, and never is ahead of it.
    public let checkpoints: Data

    private let database: DatabaseSnapshot

    fileprivate init(_ database: DatabaseSnapshot, _ head: ChainHead, key: Data, checkpoints: Data) {
        self.database = database
        self.head = head
        self.key = key
        self.checkpoints = checkpoints
    }

    /// Copies the database, by SQLite's own way to do that online, and has the copy on the disk before it returns.
    ///
    /// - Parameter url: The file to make, for its owner alone.
    /// - Throws: Why there is no copy; a part of it may be there.
    public func copy(to url: URL) throws(HistoryStoreError) {
        do {
            let file = try OpenFile(url, for: .creating(mode: 0o600))
            let copy = try DatabaseQueue(path: url.path)
            try database.backup(to: copy)
            try copy.close()
            try file.synchronize()
        } catch {
            throw HistoryStoreError(error, path: url.path)
        }
    }
}

extension HistoryStore {
    /// Holds the history as it is now, to be copied.
    ///
    /// - Returns: The history of this moment.
    /// - Throws: Why it can't be read; where a file that proves it is gone, which.
    public func snapshot() throws(HistoryStoreError) -> HistorySnapshot {
        let files = SigningFiles(of: url)
        do {
            while true {
                // The checkpoints come first: they lag behind the rows, so the other way round they might seem to be ahead.
                let checkpoints = try Self.companion(CheckpointFile.content(of: files.checkpoints), files.checkpoints)
                let database = try pool.makeSnapshot()
                let head = try database.read { db in try Self.chainHead(db) }
                // A closed history has no further row: where there is one, a process has opened it in between.
                if let newest = Checkpoint(line: checkpoints.prefix(Checkpoint.width)), newest.state == .closed,
                    newest.head.id < head.id,
                    try CheckpointFile.content(of: files.checkpoints) != checkpoints
                {
                    continue
                }
                let key = try AtomicFile.readIfThere(files.key, maximumSize: Self.largestKey)?.data
                return HistorySnapshot(
                    database, head, key: try Self.companion(key, files.key), checkpoints: checkpoints)
            }
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// The most bytes that a key's file has; a key has some 120.
    private static let largestKey = 64 * 1024

    private static func companion(_ content: Data?, _ url: URL) throws -> Data {
        guard let content else {
            throw HistoryStoreError.AbortError(.companion(url.path, "there is no such file; put it back"))
        }
        return content
    }
}
