import Foundation

/// How far something has got that passes the rows of the history on.
public struct FollowerStatus: Hashable, Sendable {
    /// Where the rows go, such as `etcd://10.0.0.1:2379/flags`.
    public let name: String
    /// The last row that was passed on; `nil` where that is not known yet.
    public let row: Int64?
    /// Why no row can be passed on now, and since when.
    public let problem: Problem?

    /// What is in the way.
    public struct Problem: Hashable, Sendable {
        /// What is wrong, and where it helps what to do.
        public let text: String
        /// Since when, in UTC.
        public let since: Date

        /// Describes what is in the way.
        public init(text: String, since: Date) { (self.text, self.since) = (text, since) }
    }

    /// Describes how far it has got.
    public init(name: String, row: Int64?, problem: Problem? = nil) {
        (self.name, self.row, self.problem) = (name, row, problem)
    }
}
