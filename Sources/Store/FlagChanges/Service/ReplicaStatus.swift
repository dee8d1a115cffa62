import FeatureFlags
import Foundation

/// How fresh a replica's flags are.
public struct ReplicaStatus: Hashable, Sendable {
    /// Where they are from, such as `https://flags.example.com/`.
    public let source: String
    /// The last row of the source's history that they were told with; `nil` where nothing was got yet.
    public package(set) var row: Int64?
    /// That row's hash, in hexadecimal digits.
    public package(set) var hash: String?
    /// When the source last said that this is what its flags are, by the clock of this machine.
    public package(set) var confirmed: Date?
    /// The flags whose values the source itself has but from a source that is broken, and why.
    public package(set) var broken: [FlagKeyPath: FlagValueError] = [:]
    /// Why the source can't be followed now, and since when.
    public package(set) var problem: Problem?

    /// What is in the way.
    public struct Problem: Hashable, Sendable {
        /// What is wrong, as a sentence without its full stop.
        public let text: String
        /// Since when.
        public let since: Date

        /// Describes what is in the way.
        public init(text: String, since: Date) { (self.text, self.since) = (text, since) }
    }

    /// Describes how fresh flags are.
    public init(
        source: String, row: Int64? = nil, hash: String? = nil, confirmed: Date? = nil, problem: Problem? = nil
    ) {
        (self.source, self.row, self.hash, self.confirmed, self.problem) = (source, row, hash, confirmed, problem)
    }
}
