import Foundation

/// How the newest rows that match a query are spread over time and actors: without reasons that were given later, which are no
/// changes.
public struct HistorySummary: Hashable, Sendable {
    /// The rows of one quarter of an hour: the days of every time zone are made of them.
    public struct Quarter: Hashable, Sendable {
        /// The quarter's first moment.
        public let start: Date
        /// How many rows there are.
        public let count: Int
        /// How many of them tell of edits from outside.
        public let outside: Int

        /// Makes a quarter.
        public init(start: Date, count: Int, outside: Int = 0) {
            self.start = start
            self.count = count
            self.outside = outside
        }
    }

    /// The rows of one actor.
    public struct Actor: Hashable, Sendable {
        /// The actor.
        public let name: String
        /// How many rows there are.
        public let count: Int

        /// Makes an actor.
        public init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// What rows are counted together: those of one actor in one quarter of an hour, by its number since 1970.
    struct Share: Hashable {
        let quarter: Int64
        let actor: String
        /// Whether they tell of edits from outside.
        let isOutside: Bool
    }

    /// How many rows are looked at.
    public static let limit = 2000

    /// The quarters of an hour that have rows, the newest first.
    public let quarters: [Quarter]
    /// The actors, who has the most rows first.
    public let actors: [Actor]
    /// How many rows were counted.
    public let count: Int
    /// Whether these are all rows that match; otherwise the newest.
    public let isComplete: Bool

    /// Makes a summary.
    public init(quarters: [Quarter], actors: [Actor], count: Int, isComplete: Bool) {
        self.quarters = quarters
        self.actors = actors
        self.count = count
        self.isComplete = isComplete
    }
}

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
