import Foundation

/// The replacement of a run of bytes.
struct SourceEdit {
    let range: Range<Int>
    var replacement: String

    /// Applies edits that do not overlap, given in source order.
    static func apply(_ edits: [SourceEdit], to bytes: [UInt8]) -> Data {
        var result = Data(capacity: bytes.count + edits.reduce(0) { $0 + $1.replacement.utf8.count })
        var offset = 0
        for edit in edits {
            result.append(contentsOf: bytes[offset..<edit.range.lowerBound])
            result.append(contentsOf: edit.replacement.utf8)
            offset = edit.range.upperBound
        }
        result.append(contentsOf: bytes[offset...])
        return result
    }
}
