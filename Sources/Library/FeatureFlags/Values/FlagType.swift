import Foundation

/// The type of a flag's value.
///
/// ```swift
/// let type = FlagType(inferredFrom: .double(2.5))
/// print(type, type.expectation)
/// ```
public enum FlagType: String, CaseIterable, Codable, Hashable, Sendable {
    /// Yes or no.
    case bool
    /// A whole number from -2^63 to 2^64 - 1.
    case integer
    /// A number.
    case double
    /// Text.
    case string
    /// A point in time.
    case date
    /// Bytes.
    case data
    /// An absolute or relative URL, stored as text.
    case url
    /// One of the values that the definition lists.
    case choice
    /// A list of values.
    case array
    /// Values by name.
    case dictionary
    /// A JSON document, stored as a dictionary, an array, or JSON data.
    case json

    /// Creates the type of a stored value without a definition.
    ///
    /// - Parameter value: The stored value.
    public init(inferredFrom value: FlagValue) {
        self =
            switch value {
            case .bool: .bool
            case .integer: .integer
            case .double: .double
            case .string: .string
            case .date: .date
            case .data: .data
            case .array: .array
            case .dictionary: .dictionary
            case .broken(let value): value.kind.type
            }
    }
}

extension FlagType {
    /// The expected values, for a message after "expected".
    public var expectation: String { rules.expectation }

    package var rules: FlagTypeRules {
        switch self {
        case .bool: .bool
        case .integer: .integer
        case .double: .double
        case .string: .string
        case .date: .date
        case .data: .data
        case .url: .url
        case .choice: .choice
        case .array: .array
        case .dictionary: .dictionary
        case .json: .json
        }
    }
}

// Made once, since each read of a value asks for them.
extension FlagTypeRules {
    fileprivate static let bool = FlagTypeRules(
        "true or false", kinds: ["boolean", "integer", "string"], swiftName: "Bool",
        hasSuggestions: false, read: { $0.readAsBool().map(FlagValue.bool) },
        parse: { BooleanWord.value($0.trimmed).map(FlagValue.bool) })

    fileprivate static let integer = FlagTypeRules(
        "a whole number between -9223372036854775808 and 18446744073709551615", kinds: ["integer", "string"],
        swiftName: "Int", bounded: "a whole number", read: { $0.readAsInteger().map(FlagValue.integer) },
        parse: { text in
            Int128(text.trimmed).flatMap { FlagValue.integerRange.contains($0) ? .integer($0) : nil }
        })

    fileprivate static let double = FlagTypeRules(
        "a number", kinds: ["real", "integer", "string"], swiftName: "Double", bounded: "a number",
        read: { $0.readAsDouble().map(FlagValue.double) },
        parse: { FlagNumber.parse($0.trimmed).map(FlagValue.double) })

    fileprivate static let string = FlagTypeRules(
        "text", kinds: ["string"], swiftName: "String", hasPattern: true, parse: FlagValue.string)

    fileprivate static let date = FlagTypeRules(
        "a date like 2026-01-31T12:00:00Z", kinds: ["date", "string"], swiftName: "Date",
        layouts: [(.string, ["string"]), (.date, ["date"])], read: { $0.readAsDate().map(FlagValue.date) },
        parse: { FlagDate.ofAnyYear(FlagDate.completed($0.trimmed)).map(FlagValue.date) })

    fileprivate static let data = FlagTypeRules(
        "data in base64", kinds: ["data"], swiftName: "Data", parse: decodedBase64)

    fileprivate static let url = FlagTypeRules(
        "a URL like https://example.com/path", kinds: ["string"], swiftName: "URL", hasPattern: true,
        parse: { .string($0.trimmed) })

    fileprivate static let choice = FlagTypeRules(
        "one of the choices", kinds: ["string", "integer", "real"], hasSuggestions: false,
        read: { $0 })

    fileprivate static let array = FlagTypeRules("an array", kinds: ["array"])

    fileprivate static let dictionary = FlagTypeRules("a dictionary", kinds: ["dictionary"])

    fileprivate static let json = FlagTypeRules(
        "a JSON object or array", kinds: ["dictionary", "array", "data"],
        layouts: [(.dictionary, ["dictionary", "array"]), (.data, ["data"])], read: checkedJSON)
}

/// The rules of a type, from which reading, forms, schemas and generated code follow.
package final class FlagTypeRules: Sendable {
    let expectation: String
    /// The kinds of values (``FlagValue/kind``) that a property list may hold for it, the usual one first.
    package let kinds: [String]
    /// Its layouts with the kinds that they are stored as, the usual one first; none if there is only one.
    let layouts: [(layout: FlagStorage, kinds: [String])]
    /// The type of its values in generated code, unless that depends on them.
    package let swiftName: String
    /// The values in words before their limits; `nil` if they have no minimum and no maximum.
    let bounded: String?
    package let hasPattern: Bool
    package let hasSuggestions: Bool
    /// Converts a value that is not broken; `nil` if that is impossible.
    let read: @Sendable (FlagValue) -> FlagValue?
    /// Parses a form's text; `nil` for invalid text, and always if the definition decides on the value's form.
    let parse: @Sendable (String) throws(FlagValueError) -> FlagValue?

    fileprivate init(
        _ expectation: String, kinds: [String], swiftName: String = "FlagValue",
        layouts: [(layout: FlagStorage, kinds: [String])] = [], bounded: String? = nil, hasPattern: Bool = false,
        hasSuggestions: Bool = true, read: (@Sendable (FlagValue) -> FlagValue?)? = nil,
        parse: @escaping @Sendable (String) throws(FlagValueError) -> FlagValue? = { _ in nil }
    ) {
        (self.expectation, self.kinds, self.swiftName, self.layouts) = (expectation, kinds, swiftName, layouts)
        (self.bounded, self.hasPattern, self.hasSuggestions) = (bounded, hasPattern, hasSuggestions)
        self.read = read ?? { kinds.contains($0.kind) ? $0 : nil }
        self.parse = parse
    }

    package var hasBounds: Bool { bounded != nil }

    fileprivate static func checkedJSON(_ value: FlagValue) -> FlagValue? {
        switch value {
        case .dictionary, .array: return value
        case .data(let data):
            if case .success = Result(catching: { try JSONReader.storedValue(data) }) { return value }
            return nil
        default: return nil
        }
    }

    fileprivate static func decodedBase64(_ text: String) throws(FlagValueError) -> FlagValue? {
        // Hexadecimal bytes would be read as base64 of other bytes.
        if text.trimmed.wholeMatch(of: /[0-9A-Fa-f]{2}(\s+[0-9A-Fa-f]{2})+/) != nil {
            throw FlagValueError(
                "enter \(FlagType.data.expectation); this looks like hexadecimal")
        }
        let signs = text.filter { !$0.isWhitespace }
        // Foundation also accepts superfluous padding.
        guard signs.utf8.count.isMultiple(of: 4) else { return nil }
        return Data(base64Encoded: signs).map(FlagValue.data)
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// The layout in which a flag's values are stored, for types that have more than one.
///
/// ```swift
/// print(FlagStorage.layouts(of: .date))  // as text, or as a date of the property list
/// ```
///
/// Every layout is read. ``FlagDefinition/storage`` is the layout that is written.
public enum FlagStorage: String, CaseIterable, Hashable, Sendable {
    /// For `json`: a dictionary or an array of property list values. It can't hold `null`.
    case dictionary
    /// For `json`: data with JSON text, as RealFlags stores a Codable value. It can hold `null`.
    case data
    /// For `date`: text such as `2026-01-31T12:00:00Z`, as in RealFlags.
    case string
    /// For `date`: the property list's own `<date>`.
    case date

    /// Returns the layouts of a type, the usual one first; none for a type with only one.
    ///
    /// - Parameter type: The type.
    /// - Returns: The layouts.
    public static func layouts(of type: FlagType) -> [FlagStorage] { type.rules.layouts.map(\.layout) }

    /// `nil` if the type has only one layout, or the value is not of the type.
    package init?(of value: FlagValue, as type: FlagType) {
        guard let found = type.rules.layouts.first(where: { $0.kinds.contains(value.kind) }) else { return nil }
        self = found.layout
    }
}
