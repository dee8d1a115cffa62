import FeatureFlags
import FlagHistory

/// A conflict between an edit and a later change, for a person to resolve.
public struct ChangeConflict: Hashable, Sendable {
    /// A value that a provider held.
    public struct Version: Hashable, Sendable {
        /// The value; `nil` if the provider held none.
        public let value: FlagValue?
        /// The history row that stored it; `nil` if it is older than all known rows.
        public let record: HistoryRecord?

        /// Creates a version.
        public init(value: FlagValue?, record: HistoryRecord?) {
            self.value = value
            self.record = record
        }
    }

    /// The provider's name, or the manifest's file name for a definition.
    public let provider: String
    /// The revision that the edit was based on.
    public let revision: FlagRevision
    /// The version that the edit was based on; `nil` if the history doesn't know it.
    public let base: Version?
    /// The provider's current version.
    public let theirs: Version
    /// The value that the edit would store, invalid text as text; `nil` for a reset.
    public let yours: FlagValue?
    /// True for the flag's entry in the manifest, false for a value.
    public let isOfDefinition: Bool
    /// The values' type; `nil` if unknown.
    public let type: FlagType?

    /// Creates a conflict.
    public init(
        provider: String, revision: FlagRevision, base: Version? = nil, theirs: Version, yours: FlagValue?,
        isOfDefinition: Bool = false, type: FlagType? = nil
    ) {
        self.provider = provider
        self.revision = revision
        self.base = base
        self.theirs = theirs
        self.yours = yours
        self.isOfDefinition = isOfDefinition
        self.type = type
    }
}

extension ChangeConflict {
    private static let (searchedRows, pageSize) = (500, 20)

    func traced(
        _ key: FlagKeyPath, in history: HistoryStore, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> ChangeConflict {
        var query = HistoryQuery(key: key, hiddenKeys: hiddenKeys, limit: Self.pageSize)
        var (newest, newer): (HistoryRecord?, HistoryRecord?)
        var base: Version?
        for _ in 0..<Self.searchedRows / Self.pageSize where base == nil {
            let rows = try history.newest(query)
            for row in rows where isState(row) {
                newest = newest ?? row
                base = base ?? version(between: row, and: newer)
                newer = row
            }
            guard let oldest = rows.last, rows.count == Self.pageSize else { break }
            query.olderThan = oldest.id
        }
        if base == nil, let oldest = newer, FlagRevision(of: oldest.event.before) == revision {
            base = Version(value: oldest.event.before, record: nil)
        }
        let theirRow = newest.flatMap { $0.event.after == theirs.value ? $0 : nil }
        return ChangeConflict(
            provider: provider, revision: revision, base: base, theirs: Version(value: theirs.value, record: theirRow),
            yours: yours, isOfDefinition: isOfDefinition, type: type)
    }

    private func isState(_ row: HistoryRecord) -> Bool {
        let kinds: [HistoryRecord.Kind] =
            isOfDefinition ? [.define, .redefine, .lock, .unlock, .remove, .external] : [.set, .reset, .external]
        return kinds.contains(row.event.kind) && row.event.provider == (isOfDefinition ? nil : provider)
    }

    /// Returns the edit's base if this row stored it, or the next row found it unrecorded.
    private func version(between row: HistoryRecord, and newer: HistoryRecord?) -> Version? {
        if let newer, newer.event.before != row.event.after, FlagRevision(of: newer.event.before) == revision {
            return Version(value: newer.event.before, record: nil)
        }
        return FlagRevision(of: row.event.after) == revision ? Version(value: row.event.after, record: row) : nil
    }
}
