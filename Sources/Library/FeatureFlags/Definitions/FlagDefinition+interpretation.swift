import Foundation

extension FlagDefinition {
    /// Reads a stored value as one of this flag's type.
    ///
    /// The rules are those of RealFlags: a date is ISO 8601 text, a URL is text, and a Codable value is JSON data. But
    /// text that is not of the type is refused, instead of read as `false` or `0`.
    ///
    /// - A Boolean is also read from an integer (0 is `false`), and from `true`, `yes`, `on`, `1` and their opposites.
    /// - An integer is also read from text, but never from a real, not even a whole one.
    /// - A double is also read from an integer, as the nearest double, and from text.
    ///
    /// - Parameter stored: The value that a provider holds.
    /// - Returns: The value in the form of the flag's type.
    /// - Throws: An error with the value found and the one expected.
    public func interpret(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        try interpret(stored, .full)
    }

    func interpret(_ stored: FlagValue, _ effort: PatternVerdicts.Effort) throws(FlagValueError) -> FlagValue {
        try schema.interpret(stored, effort)
    }

    /// The expected values, for a message after "expected".
    public var expectation: String { schema.expectation }

    /// Checks a value of the flag's type against the flag's constraints.
    ///
    /// - Parameter value: A value in the form of the flag's type.
    /// - Throws: An error with the constraint that fails and what would satisfy it.
    public func check(_ value: FlagValue) throws(FlagValueError) {
        try schema.check(value, .full)
    }

    /// The schema of the flag's values.
    public var schema: FlagSchema {
        FlagSchema(type: type, constraints: constraints, isOptional: isOptional)
    }
}

extension FlagValue {
    /// The kind and, if short, the value itself: `string "abc"`.
    public var briefDescription: String {
        switch self {
        case .bool(let value): "boolean \(value)"
        case .integer(let value): "integer \(value)"
        case .double(let value): "real \(value)"
        case .string(let text): text.count <= 60 ? "string \"\(text)\"" : "a string of \(text.count) characters"
        case .date(let date): "date \(FlagDate.text(date))"
        case .data(let data): "data of \(data.count) bytes"
        case .array(let values): Self.description(ofArray: values.count)
        case .dictionary(let values): Self.description(ofDictionary: values.count)
        case .broken(let value):
            switch value.kind {
            case .unknown(let name): "the unknown element <\(name)>"
            case .markup: "the element <\(value.text)> with other elements or attributes"
            case .repeatedKey: "a repeated key"
            case .yes, .no, .integer, .real, .date, .data: "an unreadable \(value.kind.word)"
            }
        }
    }
}
