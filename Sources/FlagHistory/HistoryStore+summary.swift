import Foundation
import GRDB

extension HistoryStore {
    /// How rows are spread over days and actors.
    static func summary(of found: HistorySearch.Found, _ db: Database) throws -> HistorySummary {
        let ids = found.ids.prefix(HistorySummary.limit)
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT at / 86400000000 AS day, actor, count(*) AS count
                FROM json_each(\(list(Array(ids)))) AS found CROSS JOIN history ON history.id = found.value
                GROUP BY day, actor
                """
        ).fetchAll(db)
        var (days, actors): ([Int64: Int], [String: Int]) = ([:], [:])
        for row in rows {
            days[try row.sound("day"), default: 0] += try row.sound("count")
            actors[try row.sound("actor"), default: 0] += try row.sound("count")
        }
        return HistorySummary(
            days: days.sorted { $0.key > $1.key }.map {
                HistorySummary.Day(start: HistoryTime.date($0.key * 86_400_000_000), count: $0.value)
            },
            actors: actors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                HistorySummary.Actor(name: $0.key, count: $0.value)
            },
            count: ids.count, isComplete: found.lookedUpTo == nil && found.ids.count <= HistorySummary.limit)
    }

    /// Ids as SQLite's `json_each` takes them.
    static func list(_ ids: [Int64]) -> String {
        "[" + ids.map { String($0) }.joined(separator: ",") + "]"
    }
}
