import DurableFiles
import Foundation
import GRDB

extension HistoryStore {
    /// Returns the last row's id and hash, to keep elsewhere for a later ``verifyChain(expecting:)``.
    package func chainHead() throws(HistoryStoreError) -> ChainHead {
        try readAtOnce(Self.chainHead)
    }

    /// Returns a row's hash, also of the last row of a pruning; zeros for row 0, `nil` if missing or pruned.
    package func hash(ofRow id: Int64) throws(HistoryStoreError) -> Data? {
        try read { db in try Self.hash(ofRow: id, db) }
    }

    static func chainHead(_ db: Database) throws -> ChainHead {
        let newest = try db.cachedStatement(sql: "SELECT id, hash FROM history ORDER BY id DESC LIMIT 1")
        guard let row = try Row.fetchOne(newest) else { return .empty }
        return ChainHead(
            id: try row.sound("id", of: "the last row"), hash: try row.sound("hash", of: "the last row"))
    }

    /// Checks every row's id, hash and previous hash.
    ///
    /// The chain alone reveals neither newest rows cut off nor all hashes recomputed; `expected`, a head kept
    /// elsewhere, does, and so does ``verify(expecting:archives:)``.
    package func verifyChain(expecting expected: ChainHead? = nil) throws(HistoryStoreError) -> ChainVerdict {
        let anchor = try read(Self.lastAnchor)
        return try walk(
            ChainCheck(
                after: anchor.map { ChainHead(id: $0.last, hash: $0.hash) } ?? .empty,
                expected.map { [ChainExpectation(kept: $0)] } ?? []))
    }

    func walk(_ check: ChainCheck) throws(HistoryStoreError) -> ChainVerdict {
        var check = check
        repeat {
            let isDone = try read { db in
                let statement = try db.cachedStatement(
                    sql: "SELECT \(HistoryColumn.selection(db)) FROM history WHERE id > ? ORDER BY id LIMIT ?")
                let cursor = try Row.fetchCursor(statement, arguments: [check.lastID, ChainCheck.batch])
                let row = HashedColumns(statement)
                var count = 0
                while try cursor.next() != nil {
                    guard check.accepts(row) else { return true }
                    count += 1
                }
                return count < ChainCheck.batch
            }
            if isDone { return check.verdict }
        } while true
    }
}

extension HistoryStore {
    /// Accepts a history whose chain is intact but differs from what was signed, such as a restored copy.
    ///
    /// Adds a row, whose `reason` is completed with the finding, and keeps the old checkpoints aside. No other process
    /// may write meanwhile. Returns the finding as a clause; `nil` for none. Throws if a row was altered.
    package func accept(recording event: HistoryEvent) throws(HistoryStoreError) -> String? {
        let reason: String
        switch try verify() {
        case .sound, .wrongIndex, .wrongArchive: return nil
        case .broken(_, let cause), .unproven(let cause): reason = cause
        }
        var obstacle = try obstacleToAccepting()
        if case .broken(_, let cause) = try verifyChain() { obstacle = "\(cause). An altered row" }
        if let obstacle {
            throw .refusal(
                "\(obstacle) can't be accepted. Restore an earlier copy, or move the history away to start a new one",
                path: path)
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

    /// Returns what accepting wouldn't mend besides an altered row, as the start of a sentence; `nil` if there is nothing.
    package func obstacleToAccepting() throws(HistoryStoreError) -> String? {
        if let fault = try read(Self.headsFault) { return "\(fault). This" }
        let companions = SigningFiles(of: url)
        do {
            _ = try SigningKey.read(companions.key)
            _ = try CheckpointFile.content(of: companions.checkpoints)
            return nil
        } catch {
            return "\(error). This"
        }
    }

    private func putAside(_ checkpoints: URL) throws {
        guard let old = try CheckpointFile.content(of: checkpoints) else { return }
        let name = "\(checkpoints.lastPathComponent).before-\(ContentHash.sha256(old).prefix(4).hexadecimal)"
        _ = try AtomicFile.makePrivate(checkpoints.deletingLastPathComponent().appending(path: name), with: old)
    }
}
