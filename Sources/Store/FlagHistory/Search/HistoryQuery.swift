import FeatureFlags
import Foundation

/// Which rows of the history to show.
///
/// Every criterion that is set must hold.
public struct HistoryQuery: Hashable, Sendable {
    /// Rows of the flag of exactly this key path, in any canonically equivalent spelling.
    public var key: FlagKeyPath?
    /// Rows of the flags and groups inside this group, and of its own key path.
    public var group: FlagKeyPath?
    /// Rows that were applied together under this name.
    public var batch: UUID?
    /// Rows by this actor.
    public var actor: String?
    /// Rows that came in this way.
    public var origin: HistoryRecord.Origin?
    /// Rows of this kind.
    public var kind: HistoryRecord.Kind?
    /// Rows of any kind but this.
    public var exceptKind: HistoryRecord.Kind?
    /// Rows at this time or later.
    public var from: Date?
    /// Rows before this time.
    public var until: Date?
    /// Rows after the one of this id, on whatever page.
    public var since: Int64?
    /// Rows whose key, reason, actor or values contain this text, whatever its case.
    public var text: String?
    /// What must not appear at all: everything about the internal flags.
    public var hiddenKeys: HiddenKeys
    /// Only rows older than the one of this id: where the next page begins.
    public var olderThan: Int64?
    /// Only rows newer than the one of this id, the nearest first kept: where the page before begins.
    public var newerThan: Int64?
    /// How many rows at most.
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
    /// How many rows match without regard to the page, as far as they were counted.
    public let total: Int
    /// Whether there are no more than ``total``; counting ends at ``countLimit``, or where it would take too long.
    public let isTotalExact: Bool
    /// Whether there are matching rows newer than the first one here.
    public let hasNewer: Bool
    /// Whether there are matching rows older than the last one here.
    public let hasOlder: Bool
    /// The row up to which was looked, where looking further would have taken too long: what matches beyond it is on the
    /// pages behind this one.
    public let lookedUpTo: Int64?
    /// The same on the way to newer rows, from where a page began: what matches beyond it is on the pages before this one.
    public let lookedBackTo: Int64?

    /// How many rows are counted.
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

    /// What to ask for what is older: rows before the one of this id.
    public var olderThan: Int64? { hasOlder ? lookedUpTo ?? records.last?.id : nil }

    /// What to ask for what is newer: rows after the one of this id.
    public var newerThan: Int64? { hasNewer ? lookedBackTo ?? records.first?.id : nil }
}
