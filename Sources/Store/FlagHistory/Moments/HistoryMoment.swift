import FeatureFlags
import Foundation
import GRDB

/// A moment between two rows of the history.
public struct HistoryMoment: Hashable, Sendable {
    /// The last row before it; 0 where there is none.
    public let lastRow: Int64
    /// The newest row of the history; 0 where there is none.
    public let head: Int64
    /// When the first row was written that the history still has; `nil` where it has none.
    public let begin: Date?
    /// The last pruning; `nil` where nothing was pruned.
    public let anchor: HistoryAnchor?
    /// Whether every change since is in the history: none of them was pruned.
    public let isKnown: Bool

    /// Makes a moment.
    public init(lastRow: Int64, head: Int64, begin: Date?, anchor: HistoryAnchor?, isKnown: Bool) {
        self.lastRow = lastRow
        self.head = head
        self.begin = begin
        self.anchor = anchor
        self.isKnown = isKnown
    }

    /// Whether no row of the history stands before it.
    public var isBeforeHistory: Bool { lastRow == 0 }
}

/// A value, or the entry of a definition, that the first change after a moment replaced: what there was at the moment.
public struct ReplacedValue: Hashable, Sendable {
    /// The row of the change.
    public let row: Int64
    /// The flag.
    public let key: FlagKeyPath
    /// What there was; `nil` for nothing.
    public let value: FlagValue?
    /// Whether another program altered the row after it was written.
    public let isAltered: Bool

    /// Makes a replaced value.
    public init(row: Int64, key: FlagKeyPath, value: FlagValue?, isAltered: Bool = false) {
        self.row = row
        self.key = key
        self.value = value
        self.isAltered = isAltered
    }
}

extension ReplacedValue {
    /// Reads what a row's change replaced.
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
