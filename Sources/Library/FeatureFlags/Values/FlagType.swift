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
        "true or false", kinds: ["boolean", "integer", "string"], swiftName: "Bool", field: .toggle,
        offered: "true and false are", read: { $0.readAsBool().map(FlagValue.bool) },
        readJSON: { if case .bool = $0 { $0 } else { nil } },
        parse: { BooleanWord.value($0.trimmed).map(FlagValue.bool) })

    fileprivate static let integer = FlagTypeRules(
        "a whole number between -9223372036854775808 and 18446744073709551615", kinds: ["integer", "string"],
        swiftName: "Int", field: .line(.numeric), bounded: "a whole number",
        read: { $0.readAsInteger().map(FlagValue.integer) },
        readJSON: { value in
            switch value {
            case .integer: value
            case .double(let number): FlagNumber.exactWhole(number).map(FlagValue.integer)
            default: nil
            }
        },
        parse: { text in
            Int128(text.trimmed).flatMap { FlagValue.integerRange.contains($0) ? .integer($0) : nil }
        })

    fileprivate static let double = FlagTypeRules(
        "a number", kinds: ["real", "integer", "string"], askedKinds: ["real", "integer"], swiftName: "Double",
        field: .line(.decimal), bounded: "a number", read: { $0.readAsDouble().map(FlagValue.double) },
        readJSON: { if case .string = $0 { nil } else { $0.readAsDouble().map(FlagValue.double) } },
        parse: { FlagNumber.parse($0.trimmed).map(FlagValue.double) })

    fileprivate static let string = FlagTypeRules(
        "text", kinds: ["string"], swiftName: "String", field: .area(lines: 2, isCode: false),
        hint: "Leave empty to store an empty string.", isText: true, hasPattern: true, parse: FlagValue.string)

    fileprivate static let date = FlagTypeRules(
        "a date like 2026-01-31T12:00:00Z", kinds: ["date", "string"], askedKinds: ["string"], swiftName: "Date",
        hint: "ISO 8601, for example 2026-01-31 or 2026-01-31T12:00:00Z", isText: true,
        layouts: [(.string, ["string"]), (.date, ["date"])], read: { $0.readAsDate().map(FlagValue.date) },
        parse: { FlagDate.ofAnyYear(FlagDate.completed($0.trimmed)).map(FlagValue.date) })

    fileprivate static let data = FlagTypeRules(
        "data in base64", kinds: ["data"], swiftName: "Data", field: .area(lines: 4, isCode: true),
        isText: true,
        readJSON: { if case .string(let text) = $0 { Data(base64Encoded: text).map(FlagValue.data) } else { nil } },
        parse: decodedBase64)

    fileprivate static let url = FlagTypeRules(
        "a URL like https://example.com/path", kinds: ["string"], swiftName: "URL",
        swiftLiteral: { "URL(string: \($0), encodingInvalidCharacters: false)!" }, field: .line(.url),
        hint: "URL, for example https://example.com/path", isText: true, hasPattern: true, check: checkURL,
        parse: { .string($0.trimmed) })

    fileprivate static let choice = FlagTypeRules(
        "one of the choices", kinds: ["string", "integer", "real"], askedKinds: ["string", "integer"],
        form: .choice, field: .choices, offered: "its choices are", read: { $0 })

    fileprivate static let array = FlagTypeRules(
        "an array", kinds: ["array"], askedKinds: ["array", "string"], form: .parts,
        field: .area(lines: 6, isCode: true), hint: "JSON array, for example [1, 2]")

    fileprivate static let dictionary = FlagTypeRules(
        "a dictionary", kinds: ["dictionary"], askedKinds: ["string"], form: .parts,
        field: .area(lines: 6, isCode: true), hint: "JSON object, for example {\"a\": 1}")

    fileprivate static let json = FlagTypeRules(
        "a JSON object or array", kinds: ["dictionary", "array", "data"], askedKinds: ["string"], form: .document,
        field: .area(lines: 6, isCode: true), hint: "JSON object or array",
        layouts: [(.dictionary, ["dictionary", "array"]), (.data, ["data"])], read: checkedJSON)
}

/// The rules of a type, from which reading, forms, schemas and generated code follow.
package final class FlagTypeRules: Sendable {
    package enum Form: Sendable {
        /// One value, which ``FlagTypeRules/parse`` reads.
        case single
        /// A value that the definition lists.
        case choice
        /// Values of the property list, written as JSON.
        case parts
        /// A JSON document, whatever it is stored as.
        case document
    }

    /// The field of a form.
    package enum Field: Hashable, Sendable {
        case toggle, choices
        case line(Line)
        /// At least so many lines; code is also read from left to right and limited in size.
        case area(lines: Int, isCode: Bool)

        /// The content of a line, as HTML's `inputmode` names it.
        package enum Line: String, Sendable {
            case text, numeric, decimal, url
        }
    }

    let expectation: String
    /// The kinds of values (``FlagValue/kind``) that a property list may hold for it, the usual one first.
    package let kinds: [String]
    /// The kinds that a source which converts values is asked for, the likeliest first.
    package let askedKinds: [String]
    package let form: Form
    /// Its layouts with the kinds that they are stored as, the usual one first; none if there is only one.
    let layouts: [(layout: FlagStorage, kinds: [String])]
    /// The type of its values in generated code, unless that depends on them.
    package let swiftName: String
    /// Makes an expression of that type from the literal of the stored value.
    package let swiftLiteral: @Sendable (String) -> String
    package let field: Field
    /// The accepted input, unless that depends on the constraints.
    package let hint: String?
    /// In JSON, a value may be the text that ``parse`` reads.
    package let isText: Bool
    /// The values in words before their limits; `nil` if they have no minimum and no maximum.
    let bounded: String?
    package let hasPattern: Bool
    /// The values that the field offers itself, before "already offered"; `nil` if it has room for suggestions.
    let offered: String?
    /// Converts a value that is not broken; `nil` if that is impossible.
    let read: @Sendable (FlagValue) -> FlagValue?
    /// Converts a value of a JSON document as a decoder does; `nil` if that is impossible.
    let readJSON: @Sendable (FlagValue) -> FlagValue?
    /// Checks what constraints don't say.
    let check: @Sendable (FlagValue) throws(FlagValueError) -> Void
    /// Parses a form's text; `nil` for invalid text, and always if the definition decides on the value's form.
    let parse: @Sendable (String) throws(FlagValueError) -> FlagValue?

    fileprivate init(
        _ expectation: String, kinds: [String], askedKinds: [String]? = nil, form: Form = .single,
        swiftName: String = "FlagValue", swiftLiteral: @escaping @Sendable (String) -> String = { $0 },
        field: Field = .line(.text), hint: String? = nil, isText: Bool = false,
        layouts: [(layout: FlagStorage, kinds: [String])] = [], bounded: String? = nil, hasPattern: Bool = false,
        offered: String? = nil, read: (@Sendable (FlagValue) -> FlagValue?)? = nil,
        readJSON: (@Sendable (FlagValue) -> FlagValue?)? = nil,
        check: @escaping @Sendable (FlagValue) throws(FlagValueError) -> Void = { _ in },
        parse: @escaping @Sendable (String) throws(FlagValueError) -> FlagValue? = { _ in nil }
    ) {
        (self.expectation, self.kinds, self.form, self.layouts) = (expectation, kinds, form, layouts)
        self.askedKinds = askedKinds ?? [kinds[0]]
        (self.swiftName, self.swiftLiteral) = (swiftName, swiftLiteral)
        (self.field, self.hint, self.isText) = (field, hint, isText)
        (self.bounded, self.hasPattern, self.offered) = (bounded, hasPattern, offered)
        let read = read ?? { kinds.contains($0.kind) ? $0 : nil }
        (self.read, self.readJSON) = (read, readJSON ?? read)
        (self.check, self.parse) = (check, parse)
    }

    package var hasBounds: Bool { bounded != nil }
    package var hasSuggestions: Bool { offered == nil }
    package var hasParts: Bool { form == .parts || form == .document }
    /// Its values are bytes, which are base64 in JSON.
    package var isData: Bool { kinds == ["data"] }
    /// Its numbers may have a fraction.
    package var isFractional: Bool { hasBounds && kinds.contains("real") }

    /// `true` if a text of no characters is a value.
    package var hasEmptyText: Bool {
        guard form == .single, let value = read(.string("")) else { return false }
        return if case .success = Result(catching: { try check(value) }) { true } else { false }
    }

    /// Returns the value in the text of a program that has only texts, such as an environment variable.
    package func stored(_ text: String) throws(FlagValueError) -> FlagValue {
        switch form {
        case .parts: try FlagJSON.value(text)
        case .document: .data(Data(text.utf8))
        case .single where isData: Data(base64Encoded: text).map(FlagValue.data) ?? .string(text)
        case .single, .choice: .string(text)
        }
    }

    fileprivate static func checkURL(_ value: FlagValue) throws(FlagValueError) {
        guard case .string(let text) = value,
            text.isEmpty || URL(string: text, encodingInvalidCharacters: false) == nil
        else { return }
        let hint =
            text.utf8.contains { $0 >= 0x80 }
            ? "; write letters such as ä as %C3%A4, or as xn--… in a host name" : ""
        throw FlagValueError("must be a URL like https://example.com/path\(hint)", of: text.quotedOrCounted)
    }

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

    /// `nil` if the type has only one layout, or the value is not of the type; a broken value counts by its element.
    package init?(of value: FlagValue, as type: FlagType) {
        guard let found = type.rules.layouts.first(where: { $0.kinds.contains(value.kindOfText) }) else {
            return nil
        }
        self = found.layout
    }
}
