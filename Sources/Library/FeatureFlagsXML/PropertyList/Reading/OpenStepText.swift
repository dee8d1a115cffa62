import Foundation

/// The look of an OpenStep property list, the text form from before XML: `{ key = value; other = (1, 2); }`.
package enum OpenStepText {
    /// So far a text is looked at.
    private static let reach = 64 * 1024

    /// Whether a text is an OpenStep property list rather than JSON, by the first sign that only one of them has.
    ///
    /// - Parameter source: The text; XML is neither.
    /// - Returns: Whether it is.
    package static func looksLikeOpenStep(_ source: Data) -> Bool {
        var text = source.prefix(reach)
        if text.starts(with: Byte.orderMark) { text = text.dropFirst(Byte.orderMark.count) }
        guard text.first(where: { !Byte.isWhitespace($0) }) != Byte.less else { return false }
        var depth = 0
        var quote: UInt8?
        var isEscaped = false
        for byte in text {
            if let open = quote {
                if byte == open, !isEscaped { quote = nil }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "("): return true
            case UInt8(ascii: "="), UInt8(ascii: ";"): return depth > 0
            case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: ","): return false
            default: break
            }
        }
        return false
    }
}
