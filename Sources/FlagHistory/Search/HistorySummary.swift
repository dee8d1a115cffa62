import Foundation

/// How the newest rows that match a query are spread over days and actors.
public struct HistorySummary: Hashable, Sendable {
    /// The rows of one day, in UTC.
    public struct Day: Hashable, Sendable {
        /// The day's first moment.
        public let start: Date
        /// How many rows there are.
        public let count: Int

        /// Makes a day.
        public init(start: Date, count: Int) {
            self.start = start
            self.count = count
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

    /// What rows are counted together: those of one actor on one day, by its number since 1970.
    struct Share: Hashable {
        let day: Int64
        let actor: String
    }

    /// How many rows are looked at.
    public static let limit = 2000

    /// The days that have rows, the newest first.
    public let days: [Day]
    /// The actors, who has the most rows first.
    public let actors: [Actor]
    /// How many rows were looked at.
    public let count: Int
    /// Whether these are all rows that match; otherwise the newest.
    public let isComplete: Bool

    /// Makes a summary.
    public init(days: [Day], actors: [Actor], count: Int, isComplete: Bool) {
        self.days = days
        self.actors = actors
        self.count = count
        self.isComplete = isComplete
    }
}
