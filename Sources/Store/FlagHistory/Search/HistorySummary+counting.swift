import Foundation

extension HistorySummary {
    /// How rows that were found are spread over time and actors.
    init(_ found: HistorySearch.Found) {
        var (quarters, actors): ([Int64: (count: Int, outside: Int)], [String: Int]) = ([:], [:])
        for (share, count) in found.tally {
            quarters[share.quarter, default: (0, 0)].count += count
            if share.isOutside { quarters[share.quarter, default: (0, 0)].outside += count }
            actors[share.actor, default: 0] += count
        }
        self.init(
            quarters: quarters.sorted { $0.key > $1.key }.map {
                Quarter(
                    start: HistoryTime.date($0.key * HistoryTime.quarter), count: $0.value.count,
                    outside: $0.value.outside)
            },
            actors: actors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                Actor(name: $0.key, count: $0.value)
            },
            count: found.tally.values.reduce(0, +),
            isComplete: found.lookedUpTo == nil && found.ids.count <= Self.limit)
    }
}
