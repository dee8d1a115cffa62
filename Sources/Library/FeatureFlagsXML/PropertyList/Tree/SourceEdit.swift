import Foundation

/// The replacement of a run of bytes.
package struct SourceEdit: Hashable, Sendable {
    /// The bytes of the source that go; empty where some are added only.
    package let range: Range<Int>
    /// What stands there then.
    package internal(set) var replacement: Data

    init(range: Range<Int>, replacement: String) {
        self.init(range: range, replacement: Data(replacement.utf8))
    }

    /// Makes an edit.
    package init(range: Range<Int>, replacement: Data) {
        self.range = range
        self.replacement = replacement
    }

    /// How many bytes longer the source is with it.
    var growth: Int { replacement.count - range.count }

    /// Applies edits that do not overlap, given in source order.
    static func apply(_ edits: [SourceEdit], to source: Data) -> Data {
        var result = Data(capacity: source.count + edits.reduce(0) { $0 + $1.replacement.count })
        var offset = 0
        for edit in edits {
            result.append(source[offset..<edit.range.lowerBound])
            result.append(edit.replacement)
            offset = edit.range.upperBound
        }
        result.append(source[offset...])
        return result
    }
}
