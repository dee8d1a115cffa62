import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Stores an intent before any file changes: the first transaction of the write protocol.
    ///
    /// On return, the intent is on disk.
    package func begin(_ intent: ChangeIntent) throws(HistoryStoreError) -> ChangeIntent.ID {
        var kept = intent
        kept.events = intent.events.map(names.kept)
        return try write { [kept] db in try Self.insert(kept, db) }
    }

    /// Finishes an intent whose content is in place: the second transaction of the write protocol.
    ///
    /// Adds the rows, stores the answers, removes the intent, and advances the heads, all or none.
    @discardableResult
    package func finish(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent], patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            let completion = try Self.remove(id, db)
            for file in completion.files { try Self.advance(file, db) }
            let records = try append(events, db)
            try Self.insert(completion.answers, naming: records, db)
            return records
        }
    }

    /// Removes an intent that did not take place and adds rows about it, all or none.
    ///
    /// Leaves the heads, and stores only the answers given here.
    @discardableResult
    package func abandon(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent], answers: [RequestAnswer] = [],
        patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            _ = try Self.remove(id, db)
            let records = try append(events, db)
            try Self.insert(answers, naming: records, db)
            return records
        }
    }

    /// Adds rows without an intent: outside edits, refused attempts, and changes that leave every file as it is.
    ///
    /// `head` is `nil` to leave every head.
    @discardableResult
    package func append(
        _ events: [HistoryEvent], head: FileHead?, answers: [RequestAnswer] = [], patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            if let head { try Self.set(head, db) }
            let records = try append(events, db)
            try Self.insert(answers, naming: records, db)
            return records
        }
    }

    /// Adds the rows of an outside edit and updates the file's head, all or none.
    ///
    /// There may be hundreds of thousands: each event is made when the one before is stored.
    package func record(
        _ events: some Collection<HistoryEvent>, head: FileHead, patience: Duration? = nil
    ) throws(HistoryStoreError) {
        let rows = try write(patience: patience) { db in
            try Self.set(head, db)
            var rows = RecordedRows()
            var writer = try RowWriter(db)
            for event in events {
                _ = try writer.add(names.kept(event))
                rows.add(event)
            }
            try writer.finish()
            return rows
        }
        recorded(rows)
    }

    private func storing(
        _ patience: Duration?, _ body: (Database) throws -> [HistoryRecord]
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let records = try write(patience: patience, body)
        if !records.isEmpty {
            var rows = RecordedRows()
            for record in records { rows.add(record.event) }
            recorded(rows)
        }
        return records
    }

    private func append(_ events: [HistoryEvent], _ db: Database) throws -> [HistoryRecord] {
        try Self.append(events.map(names.kept), db).map(names.shown)
    }

    /// Adds rows with the providers' kept names.
    @discardableResult
    static func append(_ events: [HistoryEvent], _ db: Database) throws -> [HistoryRecord] {
        var writer = try RowWriter(db)
        let records = try events.map { try writer.add($0).record() }
        try writer.finish()
        return records
    }
}

/// Adds rows at the end of the chain, within one transaction.
///
/// FTS5 flushes whenever another table is written, so it gets many rows at once.
struct RowWriter {
    private static let portion = 1000

    private let db: Database
    private var head: ChainHead
    private var unsearchable: [(id: Int64, event: StoredEvent, before: FlagValue?, after: FlagValue?)] = []

    /// The transaction's write lock keeps other rows out.
    init(_ db: Database) throws {
        self.db = db
        head = try HistoryStore.chainHead(db)
    }

    mutating func add(_ event: HistoryEvent) throws -> StoredRow {
        let stored = try StoredEvent(event)
        let id = head.next
        let hash = stored.hash(id: id, previousHash: head.hash)
        try stored.insert(db, id: id, previousHash: head.hash, hash: hash)
        defer { head = ChainHead(id: id, hash: hash) }
        unsearchable.append((id, stored, event.before, event.after))
        if unsearchable.count == Self.portion { try makeSearchable() }
        return StoredRow(id: id, event: stored, previousHash: head.hash, hash: hash)
    }

    consuming func finish() throws { try makeSearchable() }

    private mutating func makeSearchable() throws {
        for (id, event, before, after) in unsearchable {
            try HistoryStore.makeSearchable(event, before, after, id: id, db)
        }
        unsearchable.removeAll(keepingCapacity: true)
    }
}

struct StoredRow {
    let id: Int64
    let event: StoredEvent
    let previousHash: Data
    let hash: Data

    func record() throws -> HistoryRecord {
        HistoryRecord(id: id, event: try event.event(), previousHash: previousHash, hash: hash)
    }
}
