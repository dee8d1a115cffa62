import FeatureFlags
import GRDB

extension HistoryStore {
    /// Returns the newest page and the steps of up to `stepLimit` rows, both of the same moment.
    package func pageWithSteps(
        _ query: HistoryQuery, stepLimit: Int
    ) throws(HistoryStoreError) -> (page: HistoryPage, steps: ValueSteps) {
        var query = query
        (query.olderThan, query.newerThan) = (nil, nil)
        return try read { [query, known, decodedValues, rowReader] db in
            var paging = try HistoryPaging(query, countingUpTo: HistoryPage.countLimit, db, known, rowReader)
            var found = paging.counted
            if found.ids.count <= stepLimit, found.lookedUpTo != nil || found.ids.count > HistoryPage.countLimit {
                found = try HistorySearch(query, db, known.shown).find(
                    in: .min ... .max, ascending: false, limit: stepLimit + 1, effort: .listing)
            }
            return (try paging.page(), try Self.steps(found, limit: stepLimit, db, rowReader, decodedValues))
        }
    }

    private static func steps(
        _ found: HistorySearch.Found, limit: Int, _ db: Database, _ reader: RowReader,
        _ decoded: DecodedTexts<FlagValue>
    ) throws -> ValueSteps {
        let list = "[" + found.ids.prefix(limit).map { String($0) }.joined(separator: ",") + "]"
        let query: SQL = """
            SELECT \(sql: try RowReader.columns(db)) FROM history
            WHERE id IN (SELECT value FROM json_each(\(list))) ORDER BY id DESC
            """
        var steps: [ValueSteps.Step] = []
        var (count, oldest): (Int, Int64) = (0, 0)
        try reader.forEach(of: query, db) { row, isAltered in
            oldest = try row.sound(.at)
            count += 1
            if let step = try ValueSteps.Step(row, isAltered: isAltered, decoded, reader.names) { steps.append(step) }
        }
        let isCut = count > 0 && (found.ids.count > limit || found.lookedUpTo != nil)
        return ValueSteps(steps: steps, rowCount: count, cutOff: isCut ? HistoryTime.date(oldest) : nil)
    }
}

extension ValueSteps.Step {
    /// Reads a row; `nil` if it holds no step.
    fileprivate init?(
        _ row: Row, isAltered: Bool, _ decoded: DecodedTexts<FlagValue>, _ names: ProviderNames
    ) throws {
        let id: Int64 = try row.sound(.id)
        let kind: String = try row.sound(.kind)
        guard let kind = HistoryRecord.Kind(rawValue: kind) else {
            throw HistoryStoreError(.corrupt("row \(id) has the kind \"\(kind.prefix(60))\""))
        }
        func column(_ column: HistoryColumn) -> DatabaseValue { row[column.rawValue] }
        guard ValueSteps.isStep(kind), String.fromDatabaseValue(column(.type)) != nil,
            let provider = String.fromDatabaseValue(column(.provider))
        else { return nil }
        self.init(
            id: id, at: HistoryTime.date(try row.sound(.at)), provider: names.shown(provider),
            before: try decoded.value(of: column(.before), "before", in: "row \(id)"),
            after: try decoded.value(of: column(.after), "after", in: "row \(id)"), isAltered: isAltered)
    }
}
