import FeatureFlags
import GRDB

extension HistoryStore {
    /// Whether the rows tell that a provider held just that value of a flag, before a change or after one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: Whether there is such a row.
    /// - Throws: Why they can't be read.
    public func tells(
        of value: FlagValue, at key: FlagKeyPath, in provider: String
    ) throws(HistoryStoreError) -> Bool {
        try read { db in
            let text = try StoredEvent.text(value)
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM history INDEXED BY history_by_subject
                        WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                            AND ("before" IS :value OR "after" IS :value))
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text), "value": text,
                ]) ?? false
        }
    }
}
