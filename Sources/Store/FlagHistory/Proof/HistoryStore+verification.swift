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
