import FeatureFlags
import FlagHistory

extension HistoryRecord {
    /// Whether the row tells that its flag was locked, which it was not before.
    var setsLock: Bool {
        event.provider == nil && ![.denied, .aborted].contains(event.kind) && Self.isLocked(event.after)
            && !Self.isLocked(event.before)
    }

    /// Whether a definition's entry in the manifest says that the flag is locked.
    private static func isLocked(_ entry: FlagValue?) -> Bool {
        guard case .dictionary(let fields) = entry else { return false }
        return fields["isLocked"] == .bool(true)
    }
}
