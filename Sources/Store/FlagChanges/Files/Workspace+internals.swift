import FeatureFlags
import FlagHistory

extension Workspace {
    /// Takes up from the history which flags were internal until they were removed, renamed, or dropped from the manifest.
    mutating func rememberInternals(of history: HistoryStore) throws(HistoryStoreError) {
        for (key, entry) in try history.lastDefinitions() {
            guard case .dictionary(let fields) = entry, fields["isInternal"] == .bool(true) else { continue }
            formerInternals.insert(key)
        }
    }
}
