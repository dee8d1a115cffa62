import Foundation

/// Checks the bytes before any parser sees them: encoding, control characters, and the size and number of tags.
struct PropertyListPreflight {
    private let source: Data
    private let map: SourceMap
    /// Other characters must be references.
    private(set) var isASCII = false
    private(set) var elements = 0

    init(_ source: Data, map: SourceMap, maximumElements: Int) throws(PropertyListError) {
        self.source = source
        self.map = map
        try checkEncoding()
        try checkCharacters()
        try checkStart()
        let tags = PropertyListTags.excess(in: source, maximumElements: maximumElements)
        elements = tags.elements
        if let (cause, offset) = tags.fault {
            throw PropertyListError(cause, at: map.location(of: offset))
        }
    }

    private mutating func checkEncoding() throws(PropertyListError) {
        let start = SourceLocation(line: 1, column: 1)
        for (name, mark) in Self.marks where source.starts(with: mark) {
            throw PropertyListError(.encoding(name), at: start)
        }
        guard let name = declaredEncoding else { return }
        switch name.lowercased() {
        case "utf-8", "utf8":
            break
        case "us-ascii", "ascii":
            isASCII = true
            guard let offset = source.firstIndex(where: { $0 >= 0x80 }) else { return }
            throw PropertyListError(
                .encoding("more than the US-ASCII that it declares"), at: map.location(of: offset - source.startIndex))
        default:
            throw PropertyListError(.encoding(name), at: start)
        }
    }

    /// The parser later rejects a malformed declaration.
    private var declaredEncoding: String? {
        let head = source.dropFirst(source.starts(with: Byte.orderMark) ? 3 : 0).prefix(256)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: Byte.greater) else { return nil }
        let declaration = String(decoding: head[..<end], as: UTF8.self).unicodeScalars
        guard let attribute = declaration.firstRange(of: "encoding".unicodeScalars) else { return nil }
        let parts = declaration[attribute.upperBound...].split(
            maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
        return parts.count == 3 ? String(Substring(parts[1])) : nil
    }

    /// UTF-32 before UTF-16, since its little-endian mark starts with UTF-16's; zero bytes replace a missing mark.
    private static let marks: [(String, [UInt8])] = [
        ("UTF-32", [0xFF, 0xFE, 0, 0]), ("UTF-32", [0, 0, 0xFE, 0xFF]), ("UTF-32", [0, 0, 0, 0x3C]),
        ("UTF-32", [0x3C, 0, 0, 0]), ("UTF-16", [0xFF, 0xFE]), ("UTF-16", [0xFE, 0xFF]), ("UTF-16", [0, 0x3C]),
        ("UTF-16", [0x3C, 0]),
    ]

    private func checkCharacters() throws(PropertyListError) {
        guard !source.starts(with: "bplist".utf8) else {
            throw PropertyListError(
                .notPropertyList(
                    "is a binary property list (bplist00); convert it with: plutil -convert xml1 FILE (macOS), or: "
                        + "plistutil -i FILE -f xml -o NEW (libplist)"),
                at: nil)
        }
        if let offset = invalidByte() { throw PropertyListError(.invalidBytes, at: map.location(of: offset)) }
        let control = source.withUnsafeBytes { bytes in
            bytes.firstIndex { $0 < 0x20 && !Byte.isWhitespace($0) }.map { ($0, bytes[$0]) }
        }
        if let (offset, byte) = control {
            throw PropertyListError(.controlCharacter(byte), at: map.location(of: offset))
        }
    }

    private func invalidByte() -> Int? {
        guard String(validating: source, as: UTF8.self) == nil else { return nil }
        var iterator = source.makeIterator()
        var decoder = UTF8()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return offset
    }

    private func checkStart() throws(PropertyListError) {
        let hasMark = source.starts(with: Byte.orderMark)
        let start = hasMark ? 3 : 0
        let first = source.withUnsafeBytes { $0.dropFirst(start).first { !Byte.isWhitespace($0) } }
        let found: String
        switch first {
        case Byte.less: return
        case nil: found = source.isEmpty ? "is empty" : "contains only white space"
        case _ where OpenStepText.looksLikeOpenStep(source):
            throw PropertyListError(
                .notPropertyList(
                    "is an OpenStep property list (text like { key = value; }); convert it with: plutil -convert xml1 "
                        + "FILE (macOS), or: plistutil -i FILE -f xml -o NEW (libplist)"),
                at: map.location(of: start))
        case UInt8(ascii: "{"), Byte.openBracket, UInt8(ascii: "\""): found = "looks like JSON"
        default: found = "doesn't start with <"
        }
        throw PropertyListError(
            .notPropertyList("\(found); an XML property list starts with <?xml or <plist"), at: map.location(of: start))
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        String(scalar).utf8.count
    }
}

/// Detection of OpenStep property lists: `{ key = value; other = (1, 2); }`, and without braces `"key" = "value";`.
package enum OpenStepText {
    private static let reach = 64 * 1024

    /// Decides by the first sign that only OpenStep or JSON has; XML is neither.
    package static func looksLikeOpenStep(_ source: Data) -> Bool {
        var text = source.prefix(reach)
        if text.starts(with: Byte.orderMark) { text = text.dropFirst(Byte.orderMark.count) }
        let first = text.first { !Byte.isWhitespace($0) }
        guard first != Byte.less else { return false }
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
            case UInt8(ascii: "="), UInt8(ascii: ";"): return depth > 0 || first == UInt8(ascii: "\"")
            case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: ","): return false
            default: break
            }
        }
        return false
    }
}
