import DurableFiles
import Foundation
import GRDB

/// A history at one moment, with its proofs, to be copied while other processes write.
///
/// While it exists, SQLite's log keeps all later writes.
package final class HistorySnapshot: Sendable {
    package let head: ChainHead
    package let key: Data
    /// The content of the checkpoints' file; may be behind ``head``, never ahead.
    package let checkpoints: Data

    private let database: DatabaseSnapshot

    fileprivate init(_ database: DatabaseSnapshot, _ head: ChainHead, key: Data, checkpoints: Data) {
        self.database = database
        self.head = head
        self.key = key
        self.checkpoints = checkpoints
    }

    /// Copies the database durably into a new private file, by SQLite's online backup.
    ///
    /// A failure may leave a partial copy.
    package func copy(to url: URL) throws(HistoryStoreError) {
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
    /// Returns a snapshot; throws if a file with proofs is missing.
    package func snapshot() throws(HistoryStoreError) -> HistorySnapshot {
        let files = SigningFiles(of: url)
        do {
            while true {
                // Read first: checkpoints lag behind the rows, and read last could seem to be ahead.
                let checkpoints = try Self.companion(CheckpointFile.content(of: files.checkpoints), files.checkpoints)
                let database = try pool.makeSnapshot()
                let head = try database.read { db in try Self.chainHead(db) }
                // A closed history has no further row, so a process has just opened it.
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

    /// A key has some 120 bytes.
    private static let largestKey = 64 * 1024

    private static func companion(_ content: Data?, _ url: URL) throws -> Data {
        guard let content else {
            throw HistoryStoreError(.companion(url.path, "the file is missing; put it back"))
        }
        return content
    }
}
