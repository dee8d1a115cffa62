/// Escapes text for HTML, in elements and in quoted attributes, byte by byte: compared by whole characters, a quotation mark
/// with a combining accent after it would slip through and end an attribute.
enum SafeHTML {
    /// Appends a text to a page, escaped.
    static func append(_ text: String, to page: inout [UInt8]) {
        var text = text
        let isPlain = isPlain
        text.withUTF8 { bytes in
            var written = 0
            for place in bytes.indices where !isPlain[Int(bytes[place])] {
                page.append(contentsOf: bytes[written..<place])
                page.append(contentsOf: replacement(for: bytes[place]).utf8)
                written = place + 1
            }
            page.append(contentsOf: bytes[written...])
        }
    }

    /// Which bytes stand for themselves.
    private static let isPlain = (UInt8.min...UInt8.max).map { replacement(for: $0).isEmpty }

    /// What is written for a byte; empty for the byte itself.
    private static func replacement(for byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        // HTML has no place for these; a page that holds one is not valid.
        case 0x00...0x08, 0x0B, 0x0E...0x1F, 0x7F: "\u{FFFD}"
        default: ""
        }
    }
}
