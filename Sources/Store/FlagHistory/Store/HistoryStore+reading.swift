import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Returns a page of matching rows; its total and neighbours are of the same moment.
    ///
    /// If matches are sparse, the page may end before it is full (``HistoryPage/lookedUpTo``,
    /// ``HistoryPage/lookedBackTo``).
    package func page(_ query: HistoryQuery) throws(HistoryStoreError) -> HistoryPage {
        try read { db in
            var paging = try HistoryPaging(query, countingUpTo: HistoryPage.countLimit, db, known, rowReader)
            return try paging.page()
        }
    }

    /// Returns a page and a summary of the same moment.
    package func pageWithSummary(
        _ query: HistoryQuery
    ) throws(HistoryStoreError) -> (page: HistoryPage, summary: HistorySummary) {
        try read { db in
            var paging = try HistoryPaging(
                query, countingUpTo: HistorySummary.limit, tallied: HistorySummary.limit, db, known, rowReader)
            return (try paging.page(), HistorySummary(paging.counted))
        }
    }

    /// Returns the newest rows without a page's totals and neighbours.
    package func newest(_ query: HistoryQuery) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            let (lowest, highest) = (query.lowestID, query.highestID)
            guard lowest <= highest else { return [] }
            let found = try HistorySearch(query, db, known.shown).find(
                in: lowest...highest, ascending: false, limit: query.limit, effort: .exhaustive)
            return try rowReader.records(found.ids, db)
        }
    }

    /// Returns matching rows after `id`, oldest first, for an export; empty at the end.
    package func records(
        matching query: HistoryQuery, after id: Int64, limit: Int = 500
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        guard id < .max else { return [] }
        return try read { db in
            let found = try HistorySearch(query, db, known.shown).find(
                in: (id + 1) ... .max, ascending: true, limit: limit, effort: .exhaustive)
            return try rowReader.records(found.ids, db)
        }
    }

    /// Returns the next matching rows, oldest first, within a bounded time, so that a download doesn't block others.
    ///
    /// `end` is the last row searched; `nil` if nothing is left.
    package func portion(
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

    /// Returns `nil` if the row is missing or hidden.
    package func record(_ id: Int64, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> HistoryRecord? {
        try read { db in try rowReader.records("WHERE id = \(id) AND \(hiddenKeys.isShown)", db).first }
    }

    /// Returns the existing, visible rows, each once, oldest first.
    package func records(
        _ ids: [HistoryRecord.ID], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let list = FlagJSON.line(.array(ids.map { .integer(Int128($0)) }))
        return try read { db in
            let isShown = try hiddenKeys.isShown(db)
            return try rowReader.records(
                "WHERE id IN (SELECT value FROM json_each(\(list))) AND \(isShown) ORDER BY id", db)
        }
    }

    /// Returns the rows of a batch, oldest first.
    package func records(batch: UUID, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try rowReader.records("WHERE batch = \(batch.uuidString) AND \(hiddenKeys.isShown) ORDER BY id", db)
        }
    }

    /// Returns the first rows and counts of all: a batch may be as long as the list of flags.
    package func outline(
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
}

extension HistoryStore {
    /// The altered rows among those that this store has read.
    ///
    /// ``verify(expecting:archives:)`` checks all rows.
    package var alteredRows: [HistoryRecord.ID] { rowReader.altered }
}
