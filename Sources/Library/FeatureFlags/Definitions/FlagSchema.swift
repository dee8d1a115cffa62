import Foundation

/// The schema of a value or of a part of one: its type and constraints.
///
/// ```swift
/// let byte = FlagSchema(type: .integer, constraints: FlagConstraints(format: .uint8))
/// let colour = FlagDefinition(
///     key: FlagKeyPath(components: ["colour"]), type: .array, constraints: FlagConstraints(items: byte))
/// try colour.check([12, 300])  // throws: at /1, 300 is too large
/// ```
public struct FlagSchema: Hashable, Sendable {
    /// The type; `nil` for a value of any.
    public var type: FlagType?
    /// The constraints on the value.
    public var constraints: FlagConstraints
    /// `true` if there may be no value: in JSON, `null` or no such member.
    public var isOptional: Bool

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - type: The type; `nil` for a value of any.
    ///   - constraints: The constraints on the value.
    ///   - isOptional: `true` if there may be no value.
    public init(type: FlagType?, constraints: FlagConstraints = FlagConstraints(), isOptional: Bool = false) {
        self.type = type
        self.constraints = constraints
        self.isOptional = isOptional
    }
}

extension FlagSchema {
    /// The expected values, for a message after "expected".
    public var expectation: String {
        guard let type else { return "a value of any kind" }
        if let kind = type.rules.bounded { return numbers(kind) ?? type.expectation }
        if type == .choice, !constraints.choices.isEmpty {
            return "one of: \(constraints.choiceList)"
        }
        if !constraints.properties.isEmpty { return object }
        guard let items = constraints.items else { return type.expectation }
        let part = type == .dictionary ? "value" : "element"
        return "\(type.expectation), each \(part) \(items.expectation)"
    }

    /// `nil` if all numbers are allowed.
    private func numbers(_ kind: String) -> String? {
        let kind = constraints.format == .float ? "a single-precision number" : kind
        return switch (constraints.least?.text, constraints.greatest?.text) {
        case (let least?, let greatest?): "\(kind) between \(least) and \(greatest)"
        case (let least?, nil): "\(kind) of \(least) or more"
        case (nil, let greatest?): "\(kind) of \(greatest) or less"
        case (nil, nil): constraints.format == nil ? nil : kind
        }
    }

    private static let mostNamed = 12

    private var object: String {
        func list(_ names: [String]) -> String {
            let rest = names.count - Self.mostNamed
            return names.prefix(Self.mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
        let members = constraints.properties.sorted { $0.key < $1.key }
        let required = members.filter { !$0.value.isOptional }.map(\.key)
        let optional = members.filter(\.value.isOptional).map(\.key)
        let parts = [
            required.isEmpty ? nil : " with \(list(required))",
            optional.isEmpty ? nil : " \(required.isEmpty ? "with" : "and") optional \(list(optional))",
        ]
        return "a JSON object" + parts.compactMap(\.self).joined()
    }
}

extension FlagSchema {
    /// Converts the parts of a value read from JSON that are of a kind that JSON lacks: data, `nan` and the infinities.
    func holding(_ value: FlagValue) -> FlagValue {
        switch (type, value) {
        case (.array, .array(let values)):
            constraints.items.map { items in .array(values.map(items.holding)) } ?? value
        case (.dictionary, .dictionary(let entries)):
            constraints.items.map { items in .dictionary(entries.mapValues(items.holding)) } ?? value
        case (.data, .string(let text)):
            Data(base64Encoded: text).map(FlagValue.data) ?? value
        case (.integer, .double(let number)):
            FlagNumber.exactWhole(number).map(FlagValue.integer) ?? value
        case (.double, .string(let text)):
            FlagNumber.parse(text).flatMap { $0.isFinite ? nil : .double($0) } ?? value
        case (.choice, .double) where constraints.choice(for: value) == nil:
            constraints.choice(inJSON: JSONValue(value)) ?? value
        default: value
        }
    }

    /// Converts the integers of a document that are too long for a property list to the numbers that an app reads.
    ///
    /// - Throws: An error where the app reads no such number.
    func storable(_ json: JSONValue) throws(FlagValueError) -> JSONValue {
        switch (type, json) {
        case (nil, _): return json
        case (.array, .array(let values)), (.json, .array(let values)):
            guard constraints.items != nil else { return json }
            var parts: [JSONValue] = []
            for (index, value) in values.enumerated() { parts.append(try part(String(index), value)) }
            return .array(parts)
        case (.dictionary, .object(let members)), (.json, .object(let members)):
            guard constraints.limitsParts else { return json }
            var parts = members
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { parts[name] = try part(name, value) }
            return .object(parts)
        case (.double, .longInteger(let digits)):
            guard let number = Double(digits), number.isFinite else { throw json.mismatch(wanted: expectation) }
            return .scalar(.double(number))
        case (.choice, .longInteger):
            guard let choice = constraints.choice(inJSON: json) else { throw noChoice(json.briefDescription) }
            return .scalar(choice)
        case (_, .longInteger): throw json.mismatch(wanted: expectation)
        default: return json
        }
    }

    private func part(_ name: String, _ json: JSONValue) throws(FlagValueError) -> JSONValue {
        guard let schema = constraints.properties[name] ?? constraints.items else { return json }
        return try FlagValueError.locating(name) { () throws(FlagValueError) in try schema.storable(json) }
    }
}
