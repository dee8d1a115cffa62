import Foundation

/// The newest matching rows, without notes, by time and actor.
package struct HistorySummary: Hashable, Sendable {
    /// A quarter of an hour, of which the days of every time zone are made.
    package struct Quarter: Hashable, Sendable {
        package let start: Date
        package let count: Int
        /// Edits by other programs.
        package let outside: Int

        package init(start: Date, count: Int, outside: Int = 0) {
            self.start = start
            self.count = count
            self.outside = outside
        }
    }

    package struct Actor: Hashable, Sendable {
        package let name: String
        package let count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    struct Share: Hashable {
        let quarter: Int64
        let actor: String
        let isOutside: Bool
    }

    package static let limit = 2000

    /// Newest first.
    package let quarters: [Quarter]
    /// Most rows first.
    package let actors: [Actor]
    package let count: Int
    /// `true` if no matching row was left out.
    package let isComplete: Bool

    package init(quarters: [Quarter], actors: [Actor], count: Int, isComplete: Bool) {
        self.quarters = quarters
        self.actors = actors
        self.count = count
        self.isComplete = isComplete
    }
}

extension HistorySummary {
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
