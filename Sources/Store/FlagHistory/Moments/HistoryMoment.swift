import FeatureFlags
import Foundation
import GRDB

/// A moment between two rows of the history.
package struct HistoryMoment: Hashable, Sendable {
    /// The last row before the moment; 0 if there is none.
    package let lastRow: Int64
    /// The newest row of the history; 0 if there is none.
    package let head: Int64
    /// The time of the oldest row that is left; `nil` if there is none.
    package let begin: Date?
    /// The last pruning; `nil` if nothing was pruned.
    package let anchor: HistoryAnchor?
    /// `true` if no change since the moment was pruned.
    package let isKnown: Bool

    /// Makes a moment.
    package init(lastRow: Int64, head: Int64, begin: Date?, anchor: HistoryAnchor?, isKnown: Bool) {
        self.lastRow = lastRow
        self.head = head
        self.begin = begin
        self.anchor = anchor
        self.isKnown = isKnown
    }

    /// `true` if no row precedes the moment.
    package var isBeforeHistory: Bool { lastRow == 0 }
}

/// A value, or a definition's entry, that the first change after a moment replaced.
package struct ReplacedValue: Hashable, Sendable {
    /// The row of the change.
    package let row: Int64
    /// The flag.
    package let key: FlagKeyPath
    /// The value at the moment; `nil` for none.
    package let value: FlagValue?
    /// `true` if another program altered the row.
    package let isAltered: Bool

    /// Makes a replaced value.
    package init(row: Int64, key: FlagKeyPath, value: FlagValue?, isAltered: Bool = false) {
        self.row = row
        self.key = key
        self.value = value
        self.isAltered = isAltered
    }
}

extension ReplacedValue {
    init(
        _ row: Row, _ places: (key: Int, value: Int), isAltered: Bool = false, _ keys: DecodedTexts<FlagKeyPath>,
        _ values: DecodedTexts<FlagValue>
    ) throws {
        let text: String = try row.sound(row[places.key], "key", of: "a row")
        self.init(
            row: row[0], key: try keys.value(of: text),
            value: try values.value(of: row[places.value], "before", in: "a row of \(text)"), isAltered: isAltered)
    }
}
