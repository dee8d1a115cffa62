import FeatureFlags
import Foundation

/// A selection of rows; every criterion that is set must hold.
package struct HistoryQuery: Hashable, Sendable {
    /// Rows of the flag with this key path, in any canonically equivalent spelling.
    package var key: FlagKeyPath?
    /// Rows of the flags and groups inside this group, and of its own key path.
    package var group: FlagKeyPath?
    /// Rows of this batch.
    package var batch: UUID?
    /// Rows by this actor.
    package var actor: String?
    /// Rows of this origin.
    package var origin: HistoryRecord.Origin?
    /// Rows of this kind.
    package var kind: HistoryRecord.Kind?
    /// Rows of any kind but this.
    package var exceptKind: HistoryRecord.Kind?
    /// Rows at this time or later.
    package var from: Date?
    /// Rows before this time.
    package var until: Date?
    /// Rows after this id, on whatever page.
    package var since: Int64?
    /// Rows whose key, reason, actor or values contain this text, ignoring case.
    package var text: String?
    /// The internal flags, left out of the result.
    package var hiddenKeys: HiddenKeys
    /// The id before which the page begins, for the next page.
    package var olderThan: Int64?
    /// The id after which the page begins, nearest rows first, for the page before.
    package var newerThan: Int64?
    /// The most rows of a page.
    package var limit: Int

    /// Makes a query; without arguments, of the newest 50 rows.
    package init(
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
package struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first, at most the query's limit.
    package let records: [HistoryRecord]
    /// The number of matching rows on all pages, as far as they were counted.
    package let total: Int
    /// `true` if ``total`` counts all rows: counting ends at ``countLimit``, or when it takes too long.
    package let isTotalExact: Bool
    /// `true` if newer rows match.
    package let hasNewer: Bool
    /// `true` if older rows match.
    package let hasOlder: Bool
    /// The row where the search for older rows ran out of time; later pages continue.
    package let lookedUpTo: Int64?
    /// The row where the search for newer rows ran out of time; earlier pages continue.
    package let lookedBackTo: Int64?

    /// The most rows counted.
    package static let countLimit = 1000

    /// Makes a page.
    package init(
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
    package var olderThan: Int64? { hasOlder ? lookedUpTo ?? records.last?.id : nil }

    /// The query's `newerThan` for the page before.
    package var newerThan: Int64? { hasNewer ? lookedBackTo ?? records.first?.id : nil }
}
