import FeatureFlags
import Foundation

/// A selection of rows; every criterion that is set must hold.
public struct HistoryQuery: Hashable, Sendable {
    /// Rows of the flag with this key path, in any canonically equivalent spelling.
    public var key: FlagKeyPath?
    /// Rows of the flags and groups inside this group, and of its own key path.
    public var group: FlagKeyPath?
    /// Rows of this batch.
    public var batch: UUID?
    /// Rows by this actor.
    public var actor: String?
    /// Rows of this origin.
    public var origin: HistoryRecord.Origin?
    /// Rows of this kind.
    public var kind: HistoryRecord.Kind?
    /// Rows of any kind but this.
    public var exceptKind: HistoryRecord.Kind?
    /// Rows at this time or later.
    public var from: Date?
    /// Rows before this time.
    public var until: Date?
    /// Rows after this id, on whatever page.
    public var since: Int64?
    /// Rows whose key, reason, actor or values contain this text, ignoring case.
    public var text: String?
    /// The internal flags, left out of the result.
    public var hiddenKeys: HiddenKeys
    /// The id before which the page begins, for the next page.
    public var olderThan: Int64?
    /// The id after which the page begins, nearest rows first, for the page before.
    public var newerThan: Int64?
    /// The most rows of a page.
    public var limit: Int

    /// Makes a query; without arguments, of the newest 50 rows.
    public init(
        key: FlagKeyPath? = nil, group: FlagKeyPath? = nil, batch: UUID? = nil, actor: String? = nil,
        origin: HistoryRecord.Origin? = nil, kind: HistoryRecord.Kind? = nil,
        exceptKind: HistoryRecord.Kind? = nil, from: Date? = nil, until: Date? = nil, since: Int64? = nil,
        text: String? = nil,
        hiddenKeys: HiddenKeys = [], olderThan: Int64? = nil, newerThan: Int64? = nil, limit: Int = 50
    ) {
        self.key = key
        self.group = group
        self.batch = batch
        self.actor = actor
        self.origin = origin
        self.kind = kind
        self.exceptKind = exceptKind
        self.from = from
        self.until = until
        self.since = since
        self.text = text
        self.hiddenKeys = hiddenKeys
        self.olderThan = olderThan
        self.newerThan = newerThan
        self.limit = limit
    }
}

/// A page of the history, newest row first.
public struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first, at most the query's limit.
    public let records: [HistoryRecord]
    /// The number of matching rows on all pages, as far as they were counted.
    public let total: Int
    /// `true` if ``total`` counts all rows: counting ends at ``countLimit``, or when it takes too long.
    public let isTotalExact: Bool
    /// `true` if newer rows match.
    public let hasNewer: Bool
    /// `true` if older rows match.
    public let hasOlder: Bool
    /// The row where the search for older rows ran out of time; later pages continue.
    public let lookedUpTo: Int64?
    /// The row where the search for newer rows ran out of time; earlier pages continue.
    public let lookedBackTo: Int64?

    /// The most rows counted.
    public static let countLimit = 1000

    /// Makes a page.
    public init(
        records: [HistoryRecord], total: Int, isTotalExact: Bool = true, hasNewer: Bool, hasOlder: Bool,
        lookedUpTo: Int64? = nil, lookedBackTo: Int64? = nil
    ) {
        self.records = records
        self.total = total
        self.isTotalExact = isTotalExact
        self.hasNewer = hasNewer
        self.hasOlder = hasOlder
        self.lookedUpTo = lookedUpTo
        self.lookedBackTo = lookedBackTo
    }

    /// The query's `olderThan` for the next page.
    public var olderThan: Int64? { hasOlder ? lookedUpTo ?? records.last?.id : nil }

    /// The query's `newerThan` for the page before.
    public var newerThan: Int64? { hasNewer ? lookedBackTo ?? records.first?.id : nil }
}
