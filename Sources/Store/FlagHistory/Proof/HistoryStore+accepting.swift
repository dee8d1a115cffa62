import DurableFiles
import Foundation
import GRDB

extension HistoryStore {
    /// Goes on with a history whose rows follow from one another, but that is not what was signed: an older copy that was
    /// put back on purpose, or one whose key or checkpoints are lost.
    ///
    /// A row tells of it from then on, and the old checkpoints are kept aside. No other process may write meanwhile.
    ///
    /// - Parameter event: The row that tells of it; `reason` is completed with what was found.
    /// - Returns: What was accepted, as a clause; `nil` where there was nothing to accept.
    /// - Throws: Why nothing was done; also where a row itself was altered.
    public func accept(recording event: HistoryEvent) throws(HistoryStoreError) -> String? {
        let reason: String
        switch try verify() {
        case .sound, .wrongIndex, .wrongArchive: return nil
        case .broken(_, let cause), .unproven(let cause): reason = cause
        }
        if case .broken(_, let cause) = try verifyChain() {
            throw .refusal(
                "\(cause). A row that was altered can't be accepted: put back a copy from before, or move the history away "
                    + "and begin a new one", path: path)
        }
        let companions = SigningFiles(of: url)
        checkpoints?.close()
        do {
            let key = try SigningKey.findOrCreate(companions.key)
            var event = event
            event.reason = event.reason.isEmpty ? "[Accepted: \(reason)]" : "\(event.reason) [Accepted: \(reason)]"
            let content = try pool.write { db in
                try Self.withoutGuards(db) {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO signing_key (id, public_key) VALUES (1, ?)",
                        arguments: [key.publicKey.bytes])
                    let anchors = try Self.anchors(db)
                    try db.execute(sql: "DELETE FROM anchor")
                    for anchor in anchors { try anchor.signed(with: key).insert(db) }
                }
                try Self.append([event], db)
                return try Self.checkpoints(key, .closed, db)
            }
            try putAside(companions.checkpoints)
            try AtomicFile.replace(companions.checkpoints, with: content, mode: 0o600)
            return reason
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Keeps the checkpoints that don't hold any more under a name of their own.
    private func putAside(_ checkpoints: URL) throws {
        guard let old = try CheckpointFile.content(of: checkpoints) else { return }
        let name = "\(checkpoints.lastPathComponent).before-\(ContentHash.sha256(old).prefix(4).hexadecimal)"
        _ = try AtomicFile.makePrivate(checkpoints.deletingLastPathComponent().appending(path: name), with: old)
    }
}
