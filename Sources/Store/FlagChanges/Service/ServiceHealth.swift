import FeatureFlags
import FlagHistory
import Foundation

/// The health of a service, for monitoring.
///
/// Reveals nothing of the files' contents.
package struct ServiceHealth: Hashable, Sendable {
    /// True if the flags can be read.
    package let isReady: Bool
    /// True if the service was started read-only.
    package let isReadOnly: Bool
    /// True if an interrupted change blocks all others.
    package let hasOpenChange: Bool
    /// True if no obstacle to changes is known, and the last one, or a later test, could be stored.
    package let takesChanges: Bool
    /// The number of files that can't be read.
    package let unreadableFiles: Int
    /// The number of history rows known to be altered.
    package let alteredRows: Int
}

extension ChangeService {
    /// Returns the health without waiting for a large edit.
    package func health() async -> ServiceHealth {
        do throws(ChangeError) {
            let state = try await reader.state(within: .zero)
            return ServiceHealth(
                isReady: true, isReadOnly: isReadOnly, hasOpenChange: state.unsettled != nil,
                takesChanges: !isReadOnly && !state.flags.isStandstill && !state.isBehind
                    && state.saveObstacle == nil,
                unreadableFiles: state.flags.unreadable.count, alteredRows: history.alteredRows.count)
        } catch {
            // The history is damaged, which every page reports.
            return ServiceHealth(
                isReady: false, isReadOnly: isReadOnly, hasOpenChange: false, takesChanges: false, unreadableFiles: 0,
                alteredRows: history.alteredRows.count)
        }
    }
}

/// The progress of a follower of the history.
package struct FollowerStatus: Hashable, Sendable {
    /// The target, such as `etcd://10.0.0.1:2379/flags`.
    package let name: String
    /// The last row passed on; `nil` if unknown.
    package let row: Int64?
    /// The current obstacle.
    package let problem: Problem?

    /// An obstacle to passing rows on.
    package struct Problem: Hashable, Sendable {
        /// The problem, with a remedy if one helps.
        package let text: String
        /// The start of the problem, in UTC.
        package let since: Date

        /// Makes a problem.
        package init(text: String, since: Date) { (self.text, self.since) = (text, since) }
    }

    /// Makes a status.
    package init(name: String, row: Int64?, problem: Problem? = nil) {
        (self.name, self.row, self.problem) = (name, row, problem)
    }
}

/// The freshness of a replica's flags.
package struct ReplicaStatus: Hashable, Sendable {
    /// The source, such as `https://flags.example.com/`.
    package let source: String
    /// The source's last history row in these flags; `nil` before the first download.
    package var row: Int64?
    /// That row's hash in hexadecimal.
    package var hash: String?
    /// The last time the source confirmed these flags, by this machine's clock.
    package var confirmed: Date?
    /// The flags whose values come from a broken source of the source, with the problem.
    package var broken: [FlagKeyPath: FlagValueError] = [:]
    /// The current obstacle.
    package var problem: Problem?

    /// An obstacle to following the source.
    package struct Problem: Hashable, Sendable {
        /// The problem, as a sentence without its full stop.
        package let text: String
        /// The start of the problem.
        package let since: Date

        /// Makes a problem.
        package init(text: String, since: Date) { (self.text, self.since) = (text, since) }
    }

    /// Makes a status.
    package init(
        source: String, row: Int64? = nil, hash: String? = nil, confirmed: Date? = nil, problem: Problem? = nil
    ) {
        (self.source, self.row, self.hash, self.confirmed, self.problem) = (source, row, hash, confirmed, problem)
    }
}
