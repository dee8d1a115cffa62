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

    /// The provider.
    public let provider: String
    /// The version that the edit was based on, by its hash.
    public let revision: FlagRevision
    /// What the edit was based on; `nil` where the history does not know it.
    public let base: Version?
    /// What the provider holds now.
    public let theirs: Version
    /// What the edit would have stored, text that is no value of the flag as text; `nil` where it was a reset.
    public let yours: FlagValue?

    /// Makes a conflict.
    public init(
        provider: String, revision: FlagRevision, base: Version? = nil, theirs: Version, yours: FlagValue?
    ) {
        self.provider = provider
        self.revision = revision
        self.base = base
        self.theirs = theirs
        self.yours = yours
    }
}

extension ChangeConflict {
    /// How many of the flag's newest rows are looked at for what an edit was based on.
    private static let searchedRows = 500

    /// The conflict with what the history knows of both versions.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - history: The history.
    ///   - hiddenKeys: What must not appear.
    /// - Returns: The conflict with the rows.
    /// - Throws: Why the history can't be read.
    func traced(
        _ key: FlagKeyPath, in history: HistoryStore, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> ChangeConflict {
        let query = HistoryQuery(key: key, hiddenKeys: hiddenKeys, limit: Self.searchedRows)
        let rows = try history.page(query).records.filter { row in
            let isState = [.set, .reset, .external].contains(row.event.kind)
            return isState && row.event.provider == provider
        }
        let base = zip(rows, rows.dropFirst().map(Optional.some) + [nil]).lazy.compactMap { row, older -> Version? in
            if FlagRevision(of: row.event.after) == revision { return Version(value: row.event.after, record: row) }
            let isBefore = FlagRevision(of: row.event.before) == revision && older?.event.after != row.event.before
            return isBefore ? Version(value: row.event.before, record: nil) : nil
        }.first
        let newest = rows.first.flatMap { $0.event.after == theirs.value ? $0 : nil }
        return ChangeConflict(
            provider: provider, revision: revision, base: base, theirs: Version(value: theirs.value, record: newest),
            yours: yours)
    }
}
