import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Keeps what is about to be done, before any file changes: the first transaction of the write protocol.
    ///
    /// - Parameter intent: The change; its own id is not looked at.
    /// - Returns: The id to finish it by. The intent is on the disk then.
    /// - Throws: Why it could not be kept.
    public func begin(_ intent: ChangeIntent) throws(HistoryStoreError) -> ChangeIntent.ID {
        try write { db in try Self.insert(intent, db) }
    }

    /// Adds the rows of a change whose content is in place, removes its intent, and makes the intent's content the
    /// head of its file, all or none: the second transaction of the write protocol.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - events: What happened; oftentimes the intent's own events.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written, be it that the intent is not open.
    @discardableResult
    public func finish(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent]
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try write { db in
            let intent = try Self.remove(id, db)
            try Self.set(
                FileHead(
                    role: intent.role, path: intent.path, hash: intent.hashAfter, content: intent.contentAfter), db)
            return try Self.append(events, db)
        }
    }

    /// Adds rows about a change that did not take place (if any), and removes its intent, all or none.
    ///
    /// The head of its file stays as it is.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - events: What happened; may be empty.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written, be it that the intent is not open.
    @discardableResult
    public func abandon(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent]
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try write { db in
            _ = try Self.remove(id, db)
            return try Self.append(events, db)
        }
    }

    /// Adds rows that no intent stands for: edits from outside, and refused attempts.
    ///
    /// - Parameters:
    ///   - events: What happened.
    ///   - head: What the file holds now; `nil` leaves every head as it is.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written.
    @discardableResult
    public func append(_ events: [HistoryEvent], head: FileHead?) throws(HistoryStoreError) -> [HistoryRecord] {
        try write { db in
            if let head { try Self.set(head, db) }
            return try Self.append(events, db)
        }
    }

    /// The last row is read inside the same transaction, which holds the write lock, so no row can come in between.
    @discardableResult
    static func append(_ events: [HistoryEvent], _ db: Database) throws -> [HistoryRecord] {
        var head = try chainHead(db)
        return try events.map { event in
            let stored = try StoredEvent(event)
            let id = head.id + 1
            let hash = stored.hash(id: id, previousHash: head.hash)
            try stored.insert(db, id: id, previousHash: head.hash, hash: hash)
            try makeSearchable(event, id: id, db)
            defer { head = ChainHead(id: id, hash: hash) }
            return HistoryRecord(id: id, event: try stored.event(), previousHash: head.hash, hash: hash)
        }
    }

    private static func makeSearchable(_ event: HistoryEvent, id: Int64, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO history_search (rowid, "key", actor, reason, "before", "after") VALUES (?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, SearchText.folded(event.key.text), SearchText.folded(event.actor), SearchText.folded(event.reason),
            event.before.map { SearchText.folded($0) }, event.after.map { SearchText.folded($0) },
        ])
    }
}
