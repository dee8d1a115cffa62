import FeatureFlags
import GRDB

extension HistoryStore {
    /// A page of rows, and the steps of more of them.
    ///
    /// - Parameters:
    ///   - query: Which rows, from the newest on: where its page begins is not looked at.
    ///   - stepLimit: How many rows the steps are of at most.
    /// - Returns: Both, of the same moment.
    /// - Throws: Why the rows can't be read.
    public func pageWithSteps(
        _ query: HistoryQuery, stepLimit: Int
    ) throws(HistoryStoreError) -> (page: HistoryPage, steps: ValueSteps) {
        var query = query
        (query.olderThan, query.newerThan) = (nil, nil)
        return try read { [query, known, decodedValues] db in
            var paging = try HistoryPaging(query, countingUpTo: HistoryPage.countLimit, db, known)
            var found = paging.counted
            if found.ids.count <= stepLimit, found.lookedUpTo != nil || found.ids.count > HistoryPage.countLimit {
                found = try HistorySearch(query, db, known.shown).find(
                    in: .min ... .max, ascending: false, limit: stepLimit + 1, effort: .listing)
            }
            return (try paging.page(), try Self.steps(found, limit: stepLimit, db, decodedValues))
        }
    }

    /// The steps of the newest rows of those that were found.
    private static func steps(
        _ found: HistorySearch.Found, limit: Int, _ db: Database, _ decoded: DecodedTexts<FlagValue>
    ) throws -> ValueSteps {
        let list = "[" + found.ids.prefix(limit).map { String($0) }.joined(separator: ",") + "]"
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT id, at, kind, type, provider, "before", "after" FROM history
                WHERE id IN (SELECT value FROM json_each(\(list))) ORDER BY id DESC
                """, cached: true
        ).fetchCursor(db)
        var steps: [ValueSteps.Step] = []
        var (count, oldest): (Int, Int64) = (0, 0)
        while let row = try rows.next() {
            oldest = try row.sound(row[1], "at", of: "a row")
            count += 1
            if let step = try ValueSteps.Step(row, decoded) { steps.append(step) }
        }
        let isCut = count > 0 && (found.ids.count > limit || found.lookedUpTo != nil)
        return ValueSteps(steps: steps, rowCount: count, cutOff: isCut ? HistoryTime.date(oldest) : nil)
    }
}

extension ValueSteps.Step {
    /// Reads the step that a row tells of; `nil` where it tells of none.
    ///
    /// - Parameters:
    ///   - row: Its `id`, `at`, `kind`, `type`, `provider`, `before` and `after`, in this order.
    ///   - decoded: The values that are known.
    /// - Throws: Where the row is damaged.
    fileprivate init?(_ row: Row, _ decoded: DecodedTexts<FlagValue>) throws {
        let id: Int64 = try row.sound(row[0], "id", of: "a row")
        let kind: String = try row.sound(row[2], "kind", of: "a row")
        guard let kind = HistoryRecord.Kind(rawValue: kind) else {
            throw HistoryStoreError.AbortError(.corrupt("row \(id) has the kind \"\(kind.prefix(60))\""))
        }
        guard ValueSteps.isStep(kind), String.fromDatabaseValue(row[3]) != nil,
            let provider = String.fromDatabaseValue(row[4])
        else { return nil }
        self.init(
            id: id, at: HistoryTime.date(try row.sound(row[1], "at", of: "a row")), provider: provider,
            before: try decoded.value(of: row[5], "before", in: "row \(id)"),
            after: try decoded.value(of: row[6], "after", in: "row \(id)"))
    }
}
