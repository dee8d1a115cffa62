import FeatureFlags
import Foundation
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

    /// What a provider held last of a flag, as far as the rows tell: what the newest one left or, where it left nothing,
    /// found.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: The value; `nil` where no row tells of one.
    /// - Throws: Why the rows can't be read.
    public func lastValue(of key: FlagKeyPath, in provider: String) throws(HistoryStoreError) -> FlagValue? {
        try read { db in
            let text = try String.fetchOne(
                db,
                sql: """
                    SELECT coalesce("after", "before") FROM history INDEXED BY history_by_subject
                    WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                        AND coalesce("after", "before") IS NOT NULL
                    ORDER BY id DESC LIMIT 1
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text),
                ])
            return try text.map { try FlagValue(encodedText: $0) }
        }
    }

    /// The hash of the file that the newest change of a flag in a provider was made in.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: 32 bytes; `nil` where no row tells of a change.
    /// - Throws: Why the rows can't be read.
    public func fileHash(beforeLastChangeOf key: FlagKeyPath, in provider: String) throws(HistoryStoreError) -> Data? {
        try read { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT file_hash_before FROM history INDEXED BY history_by_subject
                    WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                    ORDER BY id DESC LIMIT 1
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text),
                ])
        }
    }
}
