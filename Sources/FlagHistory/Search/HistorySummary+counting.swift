import Foundation

extension HistorySummary {
    /// How rows that were found are spread over days and actors.
    init(_ found: HistorySearch.Found) {
        var (days, actors): ([Int64: Int], [String: Int]) = ([:], [:])
        for (share, count) in found.tally {
            days[share.day, default: 0] += count
            actors[share.actor, default: 0] += count
        }
        self.init(
            days: days.sorted { $0.key > $1.key }.map {
                Day(start: HistoryTime.date($0.key * 86_400_000_000), count: $0.value)
            },
            actors: actors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                Actor(name: $0.key, count: $0.value)
            },
            count: min(found.ids.count, Self.limit),
            isComplete: found.lookedUpTo == nil && found.ids.count <= Self.limit)
    }
}
