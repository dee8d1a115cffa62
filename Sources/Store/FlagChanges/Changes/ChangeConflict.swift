import FeatureFlags
import FlagHistory

/// What meets where a flag was changed since an edit of it began: what a person decides between.
public struct ChangeConflict: Hashable, Sendable {
    /// A value that a provider held at some time.
    public struct Version: Hashable, Sendable {
        /// The value; `nil` where the provider held none.
        public let value: FlagValue?
        /// The row of the history by which it came there: who, when and why; `nil` where it was there before every row
        /// that is known.
        public let record: HistoryRecord?

        /// Makes a version.
        public init(value: FlagValue?, record: HistoryRecord?) {
            self.value = value
            self.record = record
        }
    }

    /// The provider; the name of the manifest's file where it is about the definition.
    public let provider: String
    /// The version that the edit was based on, by its hash.
    public let revision: FlagRevision
    /// What the edit was based on; `nil` where the history does not know it.
    public let base: Version?
    /// What the provider holds now.
    public let theirs: Version
    /// What the edit would have stored, text that is no value of the flag as text; `nil` where it was a reset.
    public let yours: FlagValue?
    /// Whether it is about the flag's entry in the manifest, and not about a value.
    public let isOfDefinition: Bool
    /// What the values are values of; `nil` where that isn't known.
    public let type: FlagType?

    /// Makes a conflict.
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
    /// How many of the flag's newest rows are looked at for what an edit was based on, some at a time.
    private static let (searchedRows, pageSize) = (500, 20)

    /// The conflict with what the history knows of both versions.
    ///
    /// - Parameter hiddenKeys: What must not appear.
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

    /// Whether a row says what the provider, or the manifest, held.
    private func isState(_ row: HistoryRecord) -> Bool {
        let kinds: [HistoryRecord.Kind] =
            isOfDefinition ? [.define, .redefine, .lock, .unlock, .remove, .external] : [.set, .reset, .external]
        return kinds.contains(row.event.kind) && row.event.provider == (isOfDefinition ? nil : provider)
    }

    /// What the edit was based on, where that is what a row left, or what the next newer one found without a row for it.
    private func version(between row: HistoryRecord, and newer: HistoryRecord?) -> Version? {
        if let newer, newer.event.before != row.event.after, FlagRevision(of: newer.event.before) == revision {
            return Version(value: newer.event.before, record: nil)
        }
        return FlagRevision(of: row.event.after) == revision ? Version(value: row.event.after, record: row) : nil
    }
}
