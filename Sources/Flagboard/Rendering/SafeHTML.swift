import Mustache

/// Escapes text for HTML, in elements and in quoted attributes, byte by byte.
///
/// swift-mustache's own escaping compares whole characters, so that a quotation mark with a combining accent after it
/// slips through and ends an attribute.
struct SafeHTML: MustacheContentType {
    /// The name by which a template asks for it.
    static let name = "SAFE"

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.replacement(for: $0) != nil }) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let replacement = Self.replacement(for: byte) {
                escaped.append(contentsOf: replacement.utf8)
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func replacement(for byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        // HTML has no place for these; a page that holds one is not valid.
        case 0x00...0x08, 0x0B, 0x0E...0x1F, 0x7F: "\u{FFFD}"
        default: nil
        }
    }
}
