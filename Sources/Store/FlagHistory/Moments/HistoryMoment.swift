import FeatureFlags
import Foundation
import GRDB

/// A moment between two rows of the history.
package struct HistoryMoment: Hashable, Sendable {
    /// The last row before the moment; 0 for none.
    package let lastRow: Int64
    /// The newest row; 0 for none.
    package let head: Int64
    package let begin: Date?
    package let anchor: HistoryAnchor?
    /// `false` if a change since the moment was pruned.
    package let isKnown: Bool

    package init(lastRow: Int64, head: Int64, begin: Date?, anchor: HistoryAnchor?, isKnown: Bool) {
        self.lastRow = lastRow
        self.head = head
        self.begin = begin
        self.anchor = anchor
        self.isKnown = isKnown
    }

    package var isBeforeHistory: Bool { lastRow == 0 }
}

/// A value or definition that the first change after a moment replaced.
package struct ReplacedValue: Hashable, Sendable {
    package let row: Int64
    package let key: FlagKeyPath
    /// The value at the moment.
    package let value: FlagValue?
    package let isAltered: Bool

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
