import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The rows that match, newest first, one page of them.
    ///
    /// Where the rows that match are far apart among many that don't, the page ends before it is full, and says how far
    /// was looked (``HistoryPage/lookedUpTo``, ``HistoryPage/lookedBackTo``).
    ///
    /// - Parameter query: Which rows, and where the page begins.
    /// - Returns: The page; its total and its neighbours belong to the same moment.
    /// - Throws: Why the rows can't be read.
    public func page(_ query: HistoryQuery) throws(HistoryStoreError) -> HistoryPage {
        try read { db in
            var paging = try HistoryPaging(query, countingUpTo: HistoryPage.countLimit, db, known, rowReader)
            return try paging.page()
        }
    }

    /// A page of rows, and how the newest rows that match are spread over time and actors.
    ///
    /// - Parameter query: Which rows, and where the page begins.
    /// - Returns: Both, of the same moment.
    /// - Throws: Why the rows can't be read.
    public func pageWithSummary(
        _ query: HistoryQuery
    ) throws(HistoryStoreError) -> (page: HistoryPage, summary: HistorySummary) {
        try read { db in
            var paging = try HistoryPaging(
                query, countingUpTo: HistorySummary.limit, tallied: HistorySummary.limit, db, known, rowReader)
            return (try paging.page(), HistorySummary(paging.counted))
        }
    }

    /// The newest rows that match, without the totals and the neighbours of a page.
    ///
    /// - Parameter query: Which rows, from where on, and how many.
    /// - Returns: The rows, newest first.
    /// - Throws: Why the rows can't be read.
    public func newest(_ query: HistoryQuery) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            let (lowest, highest) = (query.lowestID, query.highestID)
            guard lowest <= highest else { return [] }
            let found = try HistorySearch(query, db, known.shown).find(
                in: lowest...highest, ascending: false, limit: query.limit, effort: .exhaustive)
            return try rowReader.records(found.ids, db)
        }
    }

    /// The rows that match, oldest first, some at a time: for an export, which needs neither totals nor neighbours.
    ///
    /// - Parameters:
    ///   - query: Which rows; where its page begins and its limit are not looked at.
    ///   - id: The last row that the caller has; 0 for none.
    ///   - limit: How many rows at most.
    /// - Returns: The rows; none where the caller has them all.
    /// - Throws: Why the rows can't be read.
    public func records(
        matching query: HistoryQuery, after id: Int64, limit: Int = 500
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        guard id < .max else { return [] }
        return try read { db in
            let found = try HistorySearch(query, db, known.shown).find(
                in: (id + 1) ... .max, ascending: true, limit: limit, effort: .exhaustive)
            return try rowReader.records(found.ids, db)
        }
    }

    /// The rows that match among the next ones, oldest first, within a bounded time: for a download, during which others
    /// are answered too.
    ///
    /// - Parameters:
    ///   - query: Which rows; where its page begins and its limit are not looked at.
    ///   - id: The row up to which the caller has looked; 0 for none.
    ///   - limit: How many rows at most.
    /// - Returns: The rows, perhaps none, and up to which row was looked; `nil` where nothing is left.
    /// - Throws: Why the rows can't be read.
    public func portion(
        matching query: HistoryQuery, after id: Int64, limit: Int = 500
    ) throws(HistoryStoreError) -> (records: [HistoryRecord], end: Int64?) {
        guard id < .max else { return ([], nil) }
        return try read { db in
            let found = try HistorySearch(query, db, known.shown).find(
                in: (id + 1) ... .max, ascending: true, limit: limit, effort: .listing)
            let end = found.lookedUpTo ?? (found.ids.count < limit ? nil : found.ids.last)
            return (try rowReader.records(found.ids, db), end)
        }
    }

    /// One row.
    ///
    /// - Parameters:
    ///   - id: Its place in the history.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: `nil` where there is none, or it is hidden.
    /// - Throws: Why it can't be read.
    public func record(_ id: Int64, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> HistoryRecord? {
        try read { db in try rowReader.records("WHERE id = \(id) AND \(hiddenKeys.isShown)", db).first }
    }

    /// Some rows.
    ///
    /// - Parameters:
    ///   - ids: Their places in the history.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: Those that there are and may appear, each once, oldest first.
    /// - Throws: Why they can't be read.
    public func records(
        _ ids: [HistoryRecord.ID], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let list = FlagJSON.line(.array(ids.map { .integer(Int128($0)) }))
        return try read { db in
            let isShown = try hiddenKeys.isShown(db)
            return try rowReader.records(
                "WHERE id IN (SELECT value FROM json_each(\(list))) AND \(isShown) ORDER BY id", db)
        }
    }

    /// The rows that were applied together, oldest first.
    ///
    /// - Parameters:
    ///   - batch: What ties them.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The rows; none where there is no such batch.
    /// - Throws: Why they can't be read.
    public func records(batch: UUID, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try rowReader.records("WHERE batch = \(batch.uuidString) AND \(hiddenKeys.isShown) ORDER BY id", db)
        }
    }

    /// The first rows that were applied together, and how many of each sort there are: a batch may be as long as the list of
    /// flags.
    ///
    /// - Parameters:
    ///   - batch: What ties them.
    ///   - limit: How many rows.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The rows, oldest first, and the sorts.
    /// - Throws: Why they can't be read.
    public func outline(
        ofBatch batch: UUID, limit: Int, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> HistoryBatchOutline {
        try read { db in
            let question = try KnownRows.Question(
                HistoryQuery(batch: batch, hiddenKeys: hiddenKeys), countingUpTo: .max, tallied: 0, db)
            let batch: SQL = "batch = \(batch.uuidString) AND \(try known.shown.condition(hiding: hiddenKeys, db))"
            let sorts = try known.sorts(question) {
                try SQLRequest<Row>(
                    literal: """
                        SELECT kind, type IS NOT NULL AS hasType, count(*) AS count
                        FROM history INDEXED BY history_by_batch WHERE \(batch) GROUP BY 1, 2
                        """, cached: true
                ).fetchAll(db).map(HistoryBatchOutline.Sort.init)
            }
            return HistoryBatchOutline(
                records: try rowReader.records("WHERE \(batch) ORDER BY id LIMIT \(limit)", db), sorts: sorts)
        }
    }

    /// The rows that came of a request with this idempotency key, oldest first: what a repeated request is answered
    /// with.
    ///
    /// - Parameters:
    ///   - idempotencyKey: The key.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The rows; none where the request is a new one.
    /// - Throws: Why they can't be read.
    public func records(
        idempotencyKey: String, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let key = StoredEvent.storable(idempotencyKey)
        return try read { db in
            try rowReader.records("WHERE idempotency_key = \(key) AND \(hiddenKeys.isShown) ORDER BY id", db)
        }
    }
}

extension HistoryStore {
    /// The rows that another program altered, as far as they were read by this store since it was opened: their hashes don't
    /// follow from what they say, or the rows behind them name others.
    ///
    /// A row is found again, or found sound, each time that it is read. ``verify(expecting:archives:)`` looks at all rows.
    public var alteredRows: [HistoryRecord.ID] { rowReader.altered }
}
