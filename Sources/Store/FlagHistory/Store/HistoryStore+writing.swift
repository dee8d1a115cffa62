import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Keeps what is about to be done, before any file changes: the first transaction of the write protocol.
    ///
    /// - Parameter intent: The changes; the id is not looked at.
    /// - Returns: The id to finish it by. The intent is on the disk then.
    /// - Throws: Why it could not be kept.
    public func begin(_ intent: ChangeIntent) throws(HistoryStoreError) -> ChangeIntent.ID {
        try write { db in try Self.insert(intent, db) }
    }

    /// Adds the rows of changes whose content is in place, keeps their answers, removes their intent, and makes the
    /// intent's edits the heads of its files, all or none: the second transaction of the write protocol.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - events: What happened: the intent's own events, in their order.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written; also where the intent is not open.
    @discardableResult
    public func finish(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent], patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            let completion = try Self.remove(id, db)
            for file in completion.files { try Self.advance(file, db) }
            let records = try Self.append(events, db)
            try Self.insert(completion.answers, naming: records, db)
            return records
        }
    }

    /// Adds rows about changes that did not take place (if any), and removes their intent, all or none.
    ///
    /// The heads of its files stay as they are, and of its answers only those are kept that are given here.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - events: What happened; may be empty.
    ///   - answers: What to answer the requests that were done all the same.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written; also where the intent is not open.
    @discardableResult
    public func abandon(
        _ id: ChangeIntent.ID, appending events: [HistoryEvent], answers: [RequestAnswer] = [],
        patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            _ = try Self.remove(id, db)
            let records = try Self.append(events, db)
            try Self.insert(answers, naming: records, db)
            return records
        }
    }

    /// Adds rows that no intent stands for: edits from outside, refused attempts, and changes that leave every file as
    /// it is.
    ///
    /// - Parameters:
    ///   - events: What happened.
    ///   - head: What the file holds now; `nil` leaves every head as it is.
    ///   - answers: What to answer the requests that it came from.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Returns: The new rows, oldest first.
    /// - Throws: Why nothing was written.
    @discardableResult
    public func append(
        _ events: [HistoryEvent], head: FileHead?, answers: [RequestAnswer] = [], patience: Duration? = nil
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try storing(patience) { db in
            if let head { try Self.set(head, db) }
            let records = try Self.append(events, db)
            try Self.insert(answers, naming: records, db)
            return records
        }
    }

    /// Adds the rows of what another program did to a file, and makes what that holds now its head, all or none.
    ///
    /// There may be hundreds of thousands: each is taken when the one before is stored, and none is kept.
    ///
    /// - Parameters:
    ///   - events: What happened.
    ///   - head: What the file holds now.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Throws: Why nothing was written.
    public func record(
        _ events: some Collection<HistoryEvent>, head: FileHead, patience: Duration? = nil
    ) throws(HistoryStoreError) {
        let rows = try write(patience: patience) { db in
            try Self.set(head, db)
            var rows = RecordedRows()
            var writer = try RowWriter(db)
            for event in events {
                _ = try writer.add(event)
                rows.add(event)
            }
            try writer.finish()
            return rows
        }
        recorded(rows)
    }

    /// Stores rows, and tells of them once they are durable.
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
