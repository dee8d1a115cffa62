import Foundation

extension FlagDefinition {
    /// Reads a stored value as one of this flag's type.
    ///
    /// Follows what RealFlags stores and accepts (a date is ISO 8601 text, a URL is text, a Codable value is data that
    /// holds JSON), except that text which is no value of the type is refused rather than read as `false` or `0`.
    /// A boolean is also read from an integer (0 is `false`) and from `true`, `yes`, `on`, `1` and their opposites; an
    /// integer from text, but never from a real, whole or not; a double from an integer (the nearest) and from text.
    ///
    /// - Parameter stored: What a provider holds.
    /// - Returns: The value in the form of the flag's type.
    /// - Throws: What was found and what is wanted.
    public func interpret(_ stored: FlagValue) throws(FlagValueProblem) -> FlagValue {
        let value = try convert(stored)
        try check(value)
        return value
    }

    private func convert(_ stored: FlagValue) throws(FlagValueProblem) -> FlagValue {
        switch (type, stored) {
        case (.bool, .bool), (.integer, .integer), (.double, .double), (.string, .string), (.url, .string),
            (.date, .date), (.data, .data), (.array, .array), (.dictionary, .dictionary), (.json, .dictionary),
            (.json, .array), (.choice, _):
            return stored
        case (.bool, .integer(let value)):
            return .bool(value != 0)
        case (.bool, .string(let text)):
            guard let value = Self.bool(text) else { throw mismatch(stored) }
            return .bool(value)
        case (.integer, .string(let text)):
            guard let value = Int128(text), FlagValue.integerRange.contains(value) else { throw mismatch(stored) }
            return .integer(value)
        case (.double, .integer(let value)):
            return .double(Double(value))
        case (.double, .string(let text)):
            guard let value = FlagNumber.parse(text) else { throw mismatch(stored) }
            return .double(value)
        case (.date, .string(let text)):
            guard let value = FlagDate.parse(text) else { throw mismatch(stored) }
            return .date(value)
        case (.json, .data(let data)):
            guard case .success = Result(catching: { try FlagJSON.object(data) }) else { throw mismatch(stored) }
            return stored
        default:
            throw mismatch(stored)
        }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1", "on": true
        case "false", "no", "0", "off": false
        default: nil
        }
    }

    private func mismatch(_ stored: FlagValue) -> FlagValueProblem {
        FlagValueProblem("found \(stored.briefDescription), wanted \(type.expectation)")
    }
}

extension FlagType {
    /// What a value of the type looks like, to say in a message after "wanted".
    public var expectation: String {
        switch self {
        case .bool: "a boolean (true or false)"
        case .integer: "a whole number from -9223372036854775808 to 18446744073709551615"
        case .double: "a number"
        case .string: "text"
        case .date: "a date such as 2026-01-31T12:00:00Z"
        case .data: "data in base64"
        case .url: "a URL such as https://example.com/path"
        case .choice: "one of the choices"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .json: "a JSON object or array"
        }
    }
}

extension FlagValue {
    /// The kind and, where it is short, the value itself: `string "abc"`.
    public var briefDescription: String {
        switch self {
        case .bool(let value): "boolean \(value)"
        case .integer(let value): "integer \(value)"
        case .double(let value): "real \(value)"
        case .string(let text): text.count <= 60 ? "string \"\(text)\"" : "a string of \(text.count) characters"
        case .date(let date): "date \(FlagDate.text(date))"
        case .data(let data): "data of \(data.count) bytes"
        case .array(let values): "an array of \(values.count)"
        case .dictionary(let values): "a dictionary of \(values.count)"
        }
    }
}
