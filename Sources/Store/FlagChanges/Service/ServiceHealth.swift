import FlagHistory

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
