import FeatureFlags
import FlagHistory
import Foundation

/// Whether a service does its work, for a program that watches over it: nothing of what its files hold.
public struct ServiceHealth: Hashable, Sendable {
    /// Whether the flags can be read.
    public let isReady: Bool
    /// Whether every change is refused, since the service was started so.
    public let isReadOnly: Bool
    /// Whether a change is neither done nor taken back, so that no other one is taken until it is settled.
    public let hasOpenChange: Bool
    /// Whether changes are taken now: nothing is known to be in the way, and the last one that was asked for could be stored, or
    /// a trial since then.
    public let takesChanges: Bool
    /// How many files can't be read now.
    public let unreadableFiles: Int
    /// How many rows of the history are known to have been altered by another program.
    public let alteredRows: Int
}

extension ChangeService {
    /// Whether the service does its work now, without waiting for a large edit that is taken up.
    public func health() async -> ServiceHealth {
        do throws(ChangeError) {
            let state = try await reader.state(within: .zero)
            return ServiceHealth(
                isReady: true, isReadOnly: isReadOnly, hasOpenChange: state.unsettled != nil,
                takesChanges: !isReadOnly && !state.flags.isStandstill && !state.isBehind
                    && state.saveObstacle == nil,
                unreadableFiles: state.flags.unreadable.count, alteredRows: history.alteredRows.count)
        } catch {
            // The history is damaged, which every page says.
            return ServiceHealth(
                isReady: false, isReadOnly: isReadOnly, hasOpenChange: false, takesChanges: false, unreadableFiles: 0,
                alteredRows: history.alteredRows.count)
        }
    }
}

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
