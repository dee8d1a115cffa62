import DurableFiles
import Foundation
import GRDB

extension HistoryStore {
    /// The last row's id and hash: what to keep elsewhere for a later ``verifyChain(expecting:)``.
    ///
    /// - Throws: Why it can't be read.
    public func chainHead() throws(HistoryStoreError) -> ChainHead {
        try readAtOnce(Self.chainHead)
    }

    /// The hash of a row, also of the last one that a pruning took away.
    ///
    /// - Parameter id: The row; 0 for the one before the first, whose hash is zeros.
    /// - Returns: `nil` where there is no such row, or it was pruned together with the one behind it.
    /// - Throws: Why it can't be read.
    public func hash(ofRow id: Int64) throws(HistoryStoreError) -> Data? {
        try read { db in try Self.hash(ofRow: id, db) }
    }

    static func chainHead(_ db: Database) throws -> ChainHead {
        let newest = try db.cachedStatement(sql: "SELECT id, hash FROM history ORDER BY id DESC LIMIT 1")
        guard let row = try Row.fetchOne(newest) else { return .empty }
        return ChainHead(
            id: try row.sound("id", of: "the last row"), hash: try row.sound("hash", of: "the last row"))
    }

    /// Checks every row: that its id is the next one, that it names the hash of the row before, and that its own hash
    /// follows from what it says.
    ///
    /// The chain alone can't tell that the newest rows were cut off, nor that a person with write access to the file
    /// computed all hashes anew. A head that was kept elsewhere can, and so can the checkpoints:
    /// ``verify(expecting:archives:)``.
    ///
    /// - Parameter expected: A ``chainHead()`` of earlier, which must still be part of the chain; `nil` where none is
    ///   known.
    /// - Returns: What was found, with the first bad row.
    /// - Throws: Why the rows can't be read.
    public func verifyChain(expecting expected: ChainHead? = nil) throws(HistoryStoreError) -> ChainVerdict {
        let anchor = try read(Self.lastAnchor)
        return try walk(
            ChainCheck(
                after: anchor.map { ChainHead(id: $0.last, hash: $0.hash) } ?? .empty,
                expected.map { [ChainExpectation(kept: $0)] } ?? []))
    }

    /// Looks at every row.
    func walk(_ check: ChainCheck) throws(HistoryStoreError) -> ChainVerdict {
        var check = check
        repeat {
            let isDone = try read { db in
                let statement = try db.cachedStatement(sql: ChainCheck.rows)
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
