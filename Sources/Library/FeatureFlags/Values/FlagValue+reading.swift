import Foundation

/// RealFlags' conversions of stored values, except that text not of the type is refused instead of read as `false` or
/// `0`.
extension FlagValue {
    /// Reads a Boolean, an integer (0 is `false`), or text: `true`, `yes`, `on`, `1` and their opposites.
    func readAsBool() -> Bool? {
        switch self {
        case .bool(let value): value
        case .integer(let value): value != 0
        case .string(let text): BooleanWord.value(text)
        default: nil
        }
    }

    /// Reads an integer or its text, but never a real, even a whole one.
    func readAsInteger() -> Int128? {
        switch self {
        case .integer(let value): value
        case .string(let text): Int128(text).flatMap { Self.integerRange.contains($0) ? $0 : nil }
        default: nil
        }
    }

    /// Reads a real, an integer (as the nearest real), or the text of a number.
    func readAsDouble() -> Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        case .string(let text): FlagNumber.parse(text)
        default: nil
        }
    }

    /// Reads a date, or ISO 8601 text.
    func readAsDate() -> Date? {
        switch self {
        case .date(let value): value
        case .string(let text): FlagDate.ofAnyYear(text)
        default: nil
        }
    }
}

/// The words for true and false, in files, forms and on a command line; other programs write only true and false.
package enum BooleanWord {
    /// Returns the value of a word in any case; `nil` for any other text.
    package static func value(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}
