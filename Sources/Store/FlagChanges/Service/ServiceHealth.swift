import FlagHistory
import Foundation

/// The health of a service, without the files' contents.
package struct ServiceHealth: Hashable, Sendable {
    package let isReady: Bool
    package let isReadOnly: Bool
    /// True if an interrupted change blocks all others.
    package let hasOpenChange: Bool
    /// True if no obstacle is known to every change, and the last change, or a later test, could be stored.
    package let takesChanges: Bool
    package let unreadableFiles: Int
    package let alteredRows: Int
    /// False if new rows can't be signed, as after the newest ones were cut off.
    package let isHistorySigned: Bool
}

extension ChangeService {
    package func health() async -> ServiceHealth {
        do throws(ChangeError) {
            let state = try await reader.state(within: .zero)
            let isHistoryReadable = isHistoryReadable && !state.isHistoryDamaged
            return ServiceHealth(
                isReady: isHistoryReadable, isReadOnly: isReadOnly, hasOpenChange: state.unsettled != nil,
                takesChanges: !isReadOnly && !state.flags.isStandstill && !state.isBehind
                    && state.saveObstacle == nil && !state.flags.isChangeless && isHistoryReadable,
                unreadableFiles: state.workspace.fileProblems.count, alteredRows: history.alteredRows.count,
                isHistorySigned: history.signingProblem == nil)
        } catch {
            return ServiceHealth(
                isReady: false, isReadOnly: isReadOnly, hasOpenChange: false, takesChanges: false, unreadableFiles: 0,
                alteredRows: history.alteredRows.count, isHistorySigned: history.signingProblem == nil)
        }
    }

    /// False where the history is damaged, which every page reports.
    private var isHistoryReadable: Bool {
        switch Result(catching: { () throws(HistoryStoreError) in try history.chainHead() }) {
        case .success: true
        case .failure: false
        }
    }
}

/// The progress of a follower of the history.
package struct FollowerStatus: Hashable, Sendable {
    /// The target, such as `etcd://10.0.0.1:2379/flags`.
    package let name: String
    /// The last row passed on; `nil` if unknown.
    package let row: Int64?
    package let problem: ServiceProblem?

    package init(name: String, row: Int64?, problem: ServiceProblem? = nil) {
        (self.name, self.row, self.problem) = (name, row, problem)
    }
}
