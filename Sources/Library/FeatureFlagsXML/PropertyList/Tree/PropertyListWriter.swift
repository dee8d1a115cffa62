import FeatureFlags
import Foundation

struct PropertyListWriter {
    let lineEnd: String
    let step: String
    /// Other characters must be references.
    let isASCII: Bool

    struct EntryStyle {
        let indent: String?
        let separator: String
        let valueIndent: String?
    }

    static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let footer = "\n</plist>\n"

    /// Returns RealFlags' style: the key and its value on a line each.
    func linesStyle(indent: String?) -> EntryStyle {
        EntryStyle(indent: indent, separator: indent.map { lineEnd + $0 } ?? "", valueIndent: indent)
    }

    func entry(_ key: String, _ value: FlagValue, style: EntryStyle) -> String {
        let name = "<key>\(escaped(key))</key>"
        return name + style.separator + element(value, indent: style.valueIndent, separator: style.separator)
    }

    /// Returns the element of a value without a ``problem(with:)``, on one line if `indent` is `nil`.
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

    /// Returns whether a key precedes another in a sorted file: by Unicode scalars.
    static func precedes(_ left: String, _ right: String) -> Bool {
        // The bytes of UTF-8 have the order of the scalars.
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

    /// Returns the shortest digits that read back as the same number.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        return "\(number)"
    }

    /// Escapes markup, and the carriage return, which a reader would turn into a line feed; a line feed becomes the
    /// file's line end, which a reader turns back.
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

    /// Returns the reason that a property list can't store a value.
    static func problem(with value: FlagValue) -> String? {
        switch value {
        case .bool, .double, .data: nil
        case .integer(let number):
            FlagValue.integerRange.contains(number)
                ? nil
                : "the integer \(number) is out of range; use a value from -9223372036854775808 to 18446744073709551615"
        case .string(let text): problem(with: text)
        case .date(let date):
            FlagDate.propertyListText(date) == nil
                ? "the date is outside the years \(FlagDate.years); choose another date" : nil
        case .broken(let value) where value.kind.isRepeatedKey:
            "the file had the key more than once (\(value.text)); choose one of these values"
        case .broken(let value) where value.kind == .markup:
            "the file had the element <\(value.text)> with other elements or attributes; set another value"
        case .broken(let value):
            BrokenFlagValue.Kind(rawValue: value.kind.rawValue) == value.kind
                ? problem(with: value.text)
                : "<\(value.kind.rawValue)> can't be the name of a broken element; use another"
        case .array(let values): values.lazy.compactMap(problem(with:)).first
        case .dictionary(let values):
            values.lazy.compactMap { problem(with: $0.key) ?? problem(with: $0.value) }.first
        }
    }

    /// Finds characters that XML 1.0 can't even refer to: https://www.w3.org/TR/xml/#charsets.
    static func problem(with text: String) -> String? {
        let forbidden = text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD: false
            case 0..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
        return forbidden.map { "the text has the character \(UnicodeName.of($0)), which XML doesn't allow; remove it" }
    }
}
