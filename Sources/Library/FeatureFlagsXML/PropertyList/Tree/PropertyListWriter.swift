import FeatureFlags
import Foundation

/// Writes values as property list elements.
struct PropertyListWriter {
    let lineEnd: String
    /// One level of indentation.
    let step: String
    /// Whether characters beyond ASCII have to be character references.
    let isASCII: Bool

    /// How an entry stands in its dictionary.
    struct EntryStyle {
        /// The text before the key on its line; `nil` where entries have no lines of their own.
        let indent: String?
        /// Between the key and its value.
        let separator: String
        /// The text before the value on its line.
        let valueIndent: String?
    }

    static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let footer = "\n</plist>\n"

    /// The style in which RealFlags writes: the key and its value on a line each.
    func linesStyle(indent: String?) -> EntryStyle {
        EntryStyle(indent: indent, separator: indent.map { lineEnd + $0 } ?? "", valueIndent: indent)
    }

    func entry(_ key: String, _ value: FlagValue, style: EntryStyle) -> String {
        let name = "<key>\(escaped(key))</key>"
        return name + style.separator + element(value, indent: style.valueIndent, separator: style.separator)
    }

    /// The element of a value.
    ///
    /// - Parameters:
    ///   - value: The value; ``problem(with:)`` found nothing.
    ///   - indent: The text before it on its line; `nil` writes everything on one line.
    ///   - separator: The text between a key and its value beside this one; a line break means any.
    /// - Returns: The element, without anything before its `<` and behind its `>`.
    func element(_ value: FlagValue, indent: String?, separator: String) -> String {
        switch value {
        case .bool(let value): value ? "<true/>" : "<false/>"
        case .integer(let value): "<integer>\(value)</integer>"
        case .double(let value): "<real>\(Self.text(of: value))</real>"
        case .string(let text): text.isEmpty ? "<string></string>" : "<string>\(escaped(text))</string>"
        case .date(let date): "<date>\(FlagDate.propertyListText(date) ?? "")</date>"
        case .data(let data): "<data>\(data.base64EncodedString())</data>"
        case .broken(let value): "<\(value.kind.rawValue)>\(escaped(value.text))</\(value.kind.rawValue)>"
        case .array(let values):
            container("array", values, indent: indent) { value, indent in
                element(value, indent: indent, separator: separator)
            }
        case .dictionary(let values):
            container("dict", values.sorted { Self.precedes($0.key, $1.key) }, indent: indent) { pair, indent in
                let isInline = !separator.contains(where: \.isNewline)
                let style =
                    isInline
                    ? EntryStyle(indent: indent, separator: separator, valueIndent: indent) : linesStyle(indent: indent)
                return entry(pair.key, pair.value, style: style)
            }
        }
    }

    private func container<Part>(
        _ name: String, _ parts: [Part], indent: String?, write: (Part, String?) -> String
    ) -> String {
        guard !parts.isEmpty else { return "<\(name)/>" }
        guard let indent else { return "<\(name)>" + parts.map { write($0, nil) }.joined() + "</\(name)>" }
        let inner = indent + step
        return "<\(name)>" + parts.map { lineEnd + inner + write($0, inner) }.joined()
            + lineEnd + indent + "</\(name)>"
    }

    /// The order of keys in a sorted file: by Unicode scalars.
    static func precedes(_ left: String, _ right: String) -> Bool {
        // UTF-8 has the order of the scalars.
        let order = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right -> Bool in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(first, second, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
        return (order ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The shortest digits that read back as the same number.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        return "\(number)"
    }

    /// Escapes markup, and the carriage return, which a reader would turn into a line feed; a line feed becomes a line end of
    /// the file, which a reader turns back.
    func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            case "\n": escaped += lineEnd
            case _ where isASCII && !scalar.isASCII: escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Why a property list can't store a value.
    ///
    /// - Returns: `nil` where it can.
    static func problem(with value: FlagValue) -> String? {
        switch value {
        case .bool, .double, .data: nil
        case .integer(let number):
            FlagValue.integerRange.contains(number)
                ? nil
                : "the integer \(number) is out of range; "
                    + "from -9223372036854775808 to 18446744073709551615 is allowed"
        case .string(let text): problem(with: text)
        case .date(let date):
            FlagDate.propertyListText(date) == nil
                ? "the date's year is none of \(FlagDate.years); choose another date" : nil
        case .broken(let value): problem(with: value.text)
        case .array(let values): values.lazy.compactMap(problem(with:)).first
        case .dictionary(let values):
            values.lazy.compactMap { problem(with: $0.key) ?? problem(with: $0.value) }.first
        }
    }

    /// See https://www.w3.org/TR/xml/#charsets: XML 1.0 can't even refer to these characters.
    static func problem(with text: String) -> String? {
        let forbidden = text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD: false
            case 0..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
        return forbidden.map { "the text has the character \(UnicodeName.of($0)), which XML can't hold; remove it" }
    }
}
