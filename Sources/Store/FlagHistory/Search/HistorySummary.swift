import Foundation

/// The distribution of the newest matching rows, without notes, over time and actors.
package struct HistorySummary: Hashable, Sendable {
    /// The rows of a quarter of an hour, from which the days of every time zone are made.
    package struct Quarter: Hashable, Sendable {
        /// The quarter's first moment.
        package let start: Date
        /// The number of rows.
        package let count: Int
        /// The number of rows about edits from outside.
        package let outside: Int

        /// Makes a quarter.
        package init(start: Date, count: Int, outside: Int = 0) {
            self.start = start
            self.count = count
            self.outside = outside
        }
    }

    /// The rows of one actor.
    package struct Actor: Hashable, Sendable {
        /// The actor.
        package let name: String
        /// The number of rows.
        package let count: Int

        /// Makes an actor.
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

    /// The most rows summarized.
    package static let limit = 2000

    /// The quarters of an hour with rows, newest first.
    package let quarters: [Quarter]
    /// The actors, most rows first.
    package let actors: [Actor]
    /// The number of rows counted.
    package let count: Int
    /// `true` if these are all matching rows, not only the newest.
    package let isComplete: Bool

    /// Makes a summary.
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
