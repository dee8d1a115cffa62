import FeatureFlags
import Foundation
import GRDB

/// Adds rows at the end of the chain, within one transaction.
///
/// The search index writes out what it has gathered whenever a row of the table comes in between, so it gets the texts of many
/// rows at a time.
struct RowWriter {
    /// How many rows wait for the search index at most.
    private static let portion = 1000

    private let db: Database
    private var head: ChainHead
    private var unsearchable: [(id: Int64, event: StoredEvent, before: FlagValue?, after: FlagValue?)] = []

    /// Goes on behind the last row, which is read inside the transaction: that holds the write lock, so no row can come in between.
    init(_ db: Database) throws {
        self.db = db
        head = try HistoryStore.chainHead(db)
    }

    /// Adds a row.
    mutating func add(_ event: HistoryEvent) throws -> StoredRow {
        let stored = try StoredEvent(event)
        let id = head.id + 1
        let hash = stored.hash(id: id, previousHash: head.hash)
        try stored.insert(db, id: id, previousHash: head.hash, hash: hash)
        defer { head = ChainHead(id: id, hash: hash) }
        unsearchable.append((id, stored, event.before, event.after))
        if unsearchable.count == Self.portion { try makeSearchable() }
        return StoredRow(id: id, event: stored, previousHash: head.hash, hash: hash)
    }

    /// Makes every row that was added searchable; nothing may be added afterwards.
    consuming func finish() throws { try makeSearchable() }

    private mutating func makeSearchable() throws {
        for (id, event, before, after) in unsearchable {
            try HistoryStore.makeSearchable(event, before, after, id: id, db)
        }
        unsearchable.removeAll(keepingCapacity: true)
    }
}

/// A row as it was just stored.
struct StoredRow {
    let id: Int64
    let event: StoredEvent
    let previousHash: Data
    let hash: Data

    /// The row as others read it.
    func record() throws -> HistoryRecord {
        HistoryRecord(id: id, event: try event.event(), previousHash: previousHash, hash: hash)
    }
}
