import FeatureFlags
import Foundation

/// A selection of rows; every set criterion must hold.
package struct HistoryQuery: Hashable, Sendable {
    /// A key path, in any canonically equivalent spelling.
    package var key: FlagKeyPath?
    /// A group's own key path, and everything inside.
    package var group: FlagKeyPath?
    package var batch: UUID?
    package var actor: String?
    package var origin: HistoryRecord.Origin?
    package var kind: HistoryRecord.Kind?
    package var exceptKind: HistoryRecord.Kind?
    /// Inclusive.
    package var from: Date?
    /// Exclusive.
    package var until: Date?
    /// The row after which to search, on whatever page.
    package var since: Int64?
    /// A text in the key, reason, actor or values, ignoring case.
    package var text: String?
    package var hiddenKeys: HiddenKeys
    /// The id before which the page begins.
    package var olderThan: Int64?
    /// The id after which the page begins, nearest rows first.
    package var newerThan: Int64?
    package var limit: Int

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

package struct HistoryPage: Hashable, Sendable {
    package let records: [HistoryRecord]
    /// On all pages, as far as counted.
    package let total: Int
    /// `false` if counting ended at ``countLimit``, or took too long.
    package let isTotalExact: Bool
    package let hasNewer: Bool
    package let hasOlder: Bool
    /// The row where the search for older rows ran out of time; later pages continue.
    package let lookedUpTo: Int64?
    /// The same for newer rows and earlier pages.
    package let lookedBackTo: Int64?

    package static let countLimit = 1000

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

    /// The next page's `olderThan`.
    package var olderThan: Int64? { hasOlder ? lookedUpTo ?? records.last?.id : nil }

    /// The previous page's `newerThan`.
    package var newerThan: Int64? { hasNewer ? lookedBackTo ?? records.first?.id : nil }
}
