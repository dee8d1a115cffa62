import GRDB

struct HistoryPaging {
    /// Newest first, up to the limit of counting.
    let counted: HistorySearch.Found

    private let query: HistoryQuery
    private let isComplete: Bool
    private let db: Database
    private let known: KnownRows
    private let rows: RowReader
    private var search: HistorySearch?

    init(
        _ query: HistoryQuery, countingUpTo most: Int, tallied: Int = 0, _ db: Database, _ known: KnownRows,
        _ rows: RowReader
    ) throws {
        self.query = query
        self.db = db
        self.known = known
        self.rows = rows
        let question = try KnownRows.Question(query, countingUpTo: most, tallied: tallied, db)
        if let found = known.count(question) {
            counted = found
        } else {
            let search = try HistorySearch(query, db, known.shown)
            counted = try search.find(
                in: .min ... .max, ascending: false, limit: most + 1, effort: .counting, tallied: tallied)
            // If the time ran out, a later count may find more.
            if counted.lookedUpTo == nil || counted.ids.count >= most {
                known.keep(counted, for: question)
            }
            self.search = search
        }
        isComplete = counted.lookedUpTo == nil && counted.ids.count <= most
    }

    private mutating func find(
        in range: ClosedRange<Int64>, ascending: Bool, limit: Int, effort: HistorySearch.Effort
    ) throws -> HistorySearch.Found {
        let search = try search ?? HistorySearch(query, db, known.shown)
        self.search = search
        return try search.find(in: range, ascending: ascending, limit: limit, effort: effort)
    }

    mutating func page() throws -> HistoryPage {
        let (limit, isUpwards) = (max(query.limit, 0), query.newerThan != nil)
        // One row more than the page shows whether another page follows.
        let found = try listed(limit + 1)
        let isFull = limit > 0 && found.ids.count > limit
        let nearest = found.ids.prefix(limit)
        let ids = isUpwards ? nearest.reversed() : Array(nearest)
        let (newest, oldest) = (ids.first ?? query.highestID, ids.last ?? query.lowestID)
        let end = isFull ? nil : found.lookedUpTo
        return HistoryPage(
            records: try rows.records(ids, db), total: min(counted.ids.count, HistoryPage.countLimit),
            isTotalExact: counted.lookedUpTo == nil && counted.ids.count <= HistoryPage.countLimit,
            hasNewer: try isUpwards && (isFull || end != nil) || hasNewer(than: newest),
            hasOlder: try !isUpwards && (isFull || end != nil) || hasOlder(than: oldest),
            lookedUpTo: isUpwards ? nil : end, lookedBackTo: isUpwards ? end : nil)
    }

    /// Nearest first.
    private mutating func listed(_ limit: Int) throws -> HistorySearch.Found {
        let (lowest, highest) = (query.lowestID, query.highestID)
        guard lowest <= highest, limit > 1 else { return HistorySearch.Found() }
        let isUpwards = query.newerThan != nil
        if isComplete {
            let ids = counted.ids.filter { lowest...highest ~= $0 }
            return HistorySearch.Found(ids: Array((isUpwards ? ids.reversed() : ids).prefix(limit)))
        }
        guard !isUpwards else {
            return try find(in: lowest...highest, ascending: true, limit: limit, effort: .listing)
        }
        // The newest pages begin with the counted rows.
        var found = HistorySearch.Found(ids: Array(counted.ids.lazy.filter { $0 <= highest }.prefix(limit)))
        let seen = counted.lookedUpTo ?? counted.ids.last ?? .max
        guard found.ids.count < limit, lowest < seen else { return found }
        let rest = try find(
            in: lowest...min(highest, seen - 1), ascending: false, limit: limit - found.ids.count, effort: .listing)
        found.ids += rest.ids
        found.lookedUpTo = rest.lookedUpTo
        return found
    }

    private mutating func hasNewer(than id: Int64) throws -> Bool {
        // Counting begins with the newest row.
        if isComplete || !counted.ids.isEmpty { return counted.ids.first.map { $0 > id } ?? false }
        guard let seen = counted.lookedUpTo, id < seen - 1 else { return false }
        return try exists(in: (id + 1)...(seen - 1), ascending: true)
    }

    private mutating func hasOlder(than id: Int64) throws -> Bool {
        if let last = counted.ids.last, last < id { return true }
        return isComplete || id == .min ? false : try exists(in: .min...(id - 1), ascending: false)
    }

    /// Returns `true` also if the time ran out.
    private mutating func exists(in range: ClosedRange<Int64>, ascending: Bool) throws -> Bool {
        let next = try find(in: range, ascending: ascending, limit: 1, effort: .peeking)
        return !next.ids.isEmpty || next.lookedUpTo != nil
    }
}

extension HistoryQuery {
    var lowestID: Int64 { newerThan.map { $0 == .max ? .max : $0 + 1 } ?? .min }
    var highestID: Int64 { olderThan.map { $0 == .min ? .min : $0 - 1 } ?? .max }
}
