import FeatureFlags
import Foundation

struct SwiftFlagType {
    private(set) var name: String
    /// Empty for a type of Swift or the library.
    private(set) var declaration: [String] = []
    /// Parts of the definition that the type can't express.
    private(set) var notes: [String] = []
    private let literal: (FlagValue) -> String

    func text(_ value: FlagValue) -> String { literal(value) }

    init(of flag: FlagDefinition, property: String, types: inout SwiftNames, access: String) {
        // A `Codable` type says itself that it is stored as data.
        var isCodable = false
        if flag.type.rules.form == .choice {
            let choices = SwiftChoices(flag.constraints.choices)
            let name = types.type(property, suffix: "Choice")
            self.name = name
            declaration = choices.declaration(name, access: access)
            literal = { value in
                choices.names.first { $0.value == value }.map { ".\(SwiftNames.quoted($0.name))" }
                    ?? ".init(rawValue: \(SwiftText.value(value)))!"
            }
        } else if let (name, members) = Self.members(of: flag, property, &types, access) {
            isCodable = true
            self.name = name
            declaration = members.declaration
            notes = flag.schema.unsaidMembers.map { "the constraints of \($0)" }
            literal = { members.literal(FlagJSON.json($0, of: .json)) ?? SwiftText.value($0) }
        } else {
            let values = [flag.defaultValue].compactMap(\.self) + flag.suggestions
            let (raw, rawLiteral) = Self.plain(flag.schema, values)
            let limits = Self.constraints(flag.constraints)
            notes = flag.schema.unsaidParts.map { "the constraints of \($0)" }
            let isListOfJSON = flag.type == .json && raw == "FlagValue"
            if limits.isEmpty, !isListOfJSON {
                (name, literal) = (raw, rawLiteral)
            } else {
                let name = types.type(property, suffix: "Value")
                self.name = name
                literal = { "\(name)(rawValue: \(rawLiteral($0)))" }
                declaration = [
                    "\(access)struct \(name): RawRepresentable, Hashable, FlagProtocol {",
                    "    \(access)var rawValue: \(raw)", "",
                    "    \(access)init(rawValue: \(raw)) { self.rawValue = rawValue }", "",
                ]
                if isListOfJSON { declaration.append("    \(access)static var flagType: FlagType? { .json }") }
                if !limits.isEmpty {
                    let all = limits.joined(separator: ", ")
                    declaration.append(
                        "    \(access)static var flagConstraints: FlagConstraints { FlagConstraints(\(all)) }")
                }
                declaration.append("}")
            }
        }
        if let storage = flag.storage, !isCodable {
            notes.append("the storage \"\(storage.rawValue)\"")
        }
    }

    /// A struct for a `Codable` type; `nil` if its members are unknown, or not stored as such a type's.
    private static func members(
        of flag: FlagDefinition, _ property: String, _ types: inout SwiftNames, _ access: String
    ) -> (name: String, members: SwiftStruct)? {
        guard flag.type == .json, flag.storage == .data else { return nil }
        var names = types
        let name = names.type(property, suffix: "Value")
        let values = [flag.defaultValue].compactMap(\.self) + flag.suggestions
        guard
            let members = SwiftStruct(flag.constraints.properties, name: name, access: access),
            values.allSatisfy({ members.literal(FlagJSON.json($0, of: .json)) != nil })
        else { return nil }
        types = names
        return (name, members)
    }

    private static func constraints(_ constraints: FlagConstraints) -> [String] {
        [
            constraints.minimum.map { "minimum: \(SwiftText.limit($0))" },
            constraints.maximum.map { "maximum: \(SwiftText.limit($0))" },
            constraints.pattern.map { "pattern: \(SwiftText.literal($0))" },
        ].compactMap(\.self)
    }

    /// A type without limits, and its literal syntax.
    private static func plain(_ schema: FlagSchema, _ values: [FlagValue]) -> (String, (FlagValue) -> String) {
        guard let type = schema.type else { return common(values) }
        let format = schema.constraints.format
        return switch type {
        case .integer where format == nil: (integer(values), bare)
        case .array: array(values, of: schema.constraints.items)
        case .dictionary: dictionary(values, of: schema.constraints.items)
        case .choice: common(schema.constraints.choices)
        case .json: json(values)
        default: (format?.swiftName ?? type.rules.swiftName, { type.rules.swiftLiteral(bare($0)) })
        }
    }

    private static func json(_ values: [FlagValue]) -> (String, (FlagValue) -> String) {
        let areObjects = values.allSatisfy { if case .dictionary = $0 { true } else { false } }
        guard areObjects else { return ("FlagValue", SwiftText.value) }
        return ("JSONData", { "JSONData(jsonString: \(SwiftText.literal(FlagJSON.line($0))))!" })
    }

    private static func array(
        _ values: [FlagValue], of schema: FlagSchema?
    ) -> (String, (FlagValue) -> String) {
        let elements = values.flatMap { value -> [FlagValue] in
            if case .array(let elements) = value { elements } else { [] }
        }
        let schema = schema ?? FlagSchema(type: nil)
        func read(_ value: FlagValue) -> FlagValue { schema.converted(value) ?? value }
        let (element, text): (String, (FlagValue) -> String) = plain(schema, elements.map(read))
        let literal = { (value: FlagValue) -> String in
            guard case .array(let elements) = value else { return bare(value) }
            return SwiftText.list(elements.map { text(read($0)) })
        }
        return ("[\(element)]", literal)
    }

    private static func dictionary(
        _ values: [FlagValue], of schema: FlagSchema?
    ) -> (String, (FlagValue) -> String) {
        let elements = values.flatMap { value -> [FlagValue] in
            if case .dictionary(let entries) = value { Array(entries.values) } else { [] }
        }
        let schema = schema ?? FlagSchema(type: nil)
        func read(_ value: FlagValue) -> FlagValue { schema.converted(value) ?? value }
        let (element, text): (String, (FlagValue) -> String) = plain(schema, elements.map(read))
        let literal = { (value: FlagValue) -> String in
            guard case .dictionary(let entries) = value else { return bare(value) }
            return SwiftText.dictionary(entries) { text(read($0)) }
        }
        return ("[String: \(element)]", literal)
    }

    private static func common(_ elements: [FlagValue]) -> (String, (FlagValue) -> String) {
        let kinds = Set(elements.map(\.kind))
        guard kinds.count == 1, let first = elements.first else { return ("FlagValue", SwiftText.value) }
        switch first {
        case .bool: return ("Bool", bare)
        case .integer: return (integer(elements), bare)
        case .double: return ("Double", bare)
        case .string: return ("String", bare)
        case .date, .data, .array, .dictionary, .broken: return ("FlagValue", SwiftText.value)
        }
    }

    private static func integer(_ values: [FlagValue]) -> String {
        let isLarge = values.contains { if case .integer(let whole) = $0 { whole > Int128(Int.max) } else { false } }
        let isNegative = values.contains { if case .integer(let whole) = $0 { whole < 0 } else { false } }
        return isLarge ? isNegative ? "FlagValue" : "UInt64" : "Int"
    }

    private static func bare(_ value: FlagValue) -> String {
        switch value {
        case .bool(let bool): "\(bool)"
        case .integer(let whole): "\(whole)"
        case .double(let double): SwiftText.number(double)
        case .string(let text): SwiftText.literal(text)
        case .date(let date): SwiftText.date(date)
        case .data(let data): SwiftText.data(data)
        case .array, .dictionary, .broken: SwiftText.value(value)
        }
    }
}

extension FlagSchema {
    /// The members whose constraints a struct doesn't express.
    fileprivate var unsaidMembers: [String] {
        constraints.properties.sorted { $0.key < $1.key }.compactMap { name, schema in
            var own = schema.constraints
            (own.format, own.items, own.properties) = (nil, nil, [:])
            let parts = [schema.constraints.items].compactMap(\.self).flatMap { items in
                FlagSchema(type: .json, constraints: FlagConstraints(properties: [name: items])).unsaidMembers
            }
            let isUnsaid = own != FlagConstraints() || !parts.isEmpty || !schema.unsaidMembers.isEmpty
            return isUnsaid ? "the member \(name)" : nil
        }
    }

    /// The parts whose constraints a Swift type without a declaration doesn't express.
    fileprivate var unsaidParts: [String] {
        var unsaid: [String] = []
        if !constraints.properties.isEmpty { unsaid.append("the members") }
        if type == .json, constraints.items != nil { unsaid.append("the parts") }
        if let items = constraints.items, type != .json {
            var own = items.constraints
            (own.format, own.items) = (nil, nil)
            if own != FlagConstraints() || !items.unsaidParts.isEmpty {
                unsaid.append(type == .array ? "the elements" : "the values")
            }
        }
        return unsaid
    }
}
