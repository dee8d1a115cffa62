import FeatureFlags

/// A JSON object as a `Codable` struct.
struct SwiftStruct {
    let declaration: [String]
    /// An expression for a JSON object; `nil` if it lacks a member, or has one of another type.
    let literal: (JSONValue) -> String?

    private typealias Literal = (JSONValue) -> String?

    private struct Member {
        let name: String
        let property: String
        let type: String
        let isOptional: Bool
        let declaration: [String]
        let literal: Literal
    }

    /// `nil` if a member may be of any kind, which no `Codable` type reads.
    ///
    /// `access` ends with a space, or is empty. `outer` is the enclosing type, with whose name an expression begins.
    init?(_ properties: [String: FlagSchema], name: String, access: String, in outer: String? = nil) {
        guard !properties.isEmpty else { return nil }
        var (scope, types) = (SwiftNames(reserved: ["encode", "encoded", "hash", "hashValue"]), SwiftNames.types)
        let path = outer.map { "\($0).\(name)" } ?? name
        var members: [Member] = []
        for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
            let property = scope.property(name)
            guard let part = Self.part(schema, property, &types, access, in: path) else { return nil }
            members.append(
                Member(
                    name: name, property: property, type: part.type, isOptional: schema.isOptional,
                    declaration: part.declaration, literal: part.literal))
        }
        // A part of a flag's value is only encoded with it.
        let conformances = outer == nil ? "Codable, Hashable, FlagProtocol" : "Codable, Hashable, Sendable"
        var lines = ["\(access)struct \(name): \(conformances) {"]
        lines += members.map {
            "    \(access)var \(SwiftNames.quoted($0.property)): \($0.type)\($0.isOptional ? "?" : "")"
        }
        if members.contains(where: { $0.property != $0.name }) {
            lines += ["", "    private enum CodingKeys: String, CodingKey {"]
            lines += members.map { "        case \(SwiftNames.quoted($0.property)) = \(SwiftText.literal($0.name))" }
            lines.append("    }")
        }
        for member in members where !member.declaration.isEmpty {
            lines += [""] + member.declaration.map { $0.isEmpty ? "" : "    \($0)" }
        }
        if !access.isEmpty {
            let parameters = members.map { member in
                "\(SwiftNames.quoted(member.property)): \(member.type)\(member.isOptional ? "?" : "")"
            }
            lines += ["", "    \(access)init(\(parameters.joined(separator: ", "))) {"]
            lines += members.map { "        self.\($0.property) = \(SwiftNames.quoted($0.property))" }
            lines.append("    }")
        }
        declaration = lines + ["}"]
        literal = { json in
            guard case .object(let values) = json else { return nil }
            var arguments: [String] = []
            for member in members {
                let value = values[member.name] ?? .null
                let text = value == .null && member.isOptional ? "nil" : member.literal(value)
                guard let text else { return nil }
                arguments.append("\(member.property): \(text)")
            }
            return "\(path)(\(arguments.joined(separator: ", ")))"
        }
    }

    private static func part(
        _ schema: FlagSchema, _ property: String, _ types: inout SwiftNames, _ access: String, in outer: String
    ) -> (type: String, declaration: [String], literal: Literal)? {
        let constraints = schema.constraints
        switch schema.type {
        case .bool, .integer, .double, .string:
            return (scalar(schema), [], { scalarText($0, of: schema.type ?? .string) })
        case .choice where constraints.choices.allSatisfy { if case .string = $0 { true } else { false } }:
            return ("String", [], { scalarText($0, of: .string) })
        case .json:
            let name = types.type(property, suffix: "Value")
            return SwiftStruct(constraints.properties, name: name, access: access, in: outer).map {
                (name, $0.declaration, $0.literal)
            }
        case .array:
            guard let items = constraints.items, !items.isOptional,
                let part = part(items, property, &types, access, in: outer)
            else { return nil }
            return (
                "[\(part.type)]", part.declaration,
                { json in
                    guard case .array(let elements) = json else { return nil }
                    let texts = elements.compactMap(part.literal)
                    return texts.count == elements.count ? SwiftText.list(texts) : nil
                }
            )
        case .dictionary:
            guard let items = constraints.items, !items.isOptional,
                let part = part(items, property, &types, access, in: outer)
            else { return nil }
            return (
                "[String: \(part.type)]", part.declaration,
                { json in
                    guard case .object(let values) = json else { return nil }
                    let texts = values.sorted { $0.key < $1.key }.compactMap { key, value in
                        part.literal(value).map { "\(SwiftText.literal(key)): \($0)" }
                    }
                    guard texts.count == values.count else { return nil }
                    return texts.isEmpty ? "[:]" : SwiftText.list(texts)
                }
            )
        default: return nil
        }
    }

    private static func scalar(_ schema: FlagSchema) -> String {
        schema.constraints.format?.swiftName ?? schema.type?.rules.swiftName ?? "FlagValue"
    }

    /// `nil` for a value that a decoder doesn't read as the type.
    private static func scalarText(_ json: JSONValue, of type: FlagType) -> String? {
        switch (type, json) {
        case (.bool, .scalar(.bool(let bool))): "\(bool)"
        case (.integer, .scalar(.integer(let whole))): "\(whole)"
        case (.integer, .scalar(.double(let double))): FlagNumber.exactWhole(double).map { "\($0)" }
        case (.double, .scalar(.integer(let whole))): "\(whole)"
        case (.double, .scalar(.double(let double))): SwiftText.number(double)
        case (.double, .longInteger(let digits)): Double(digits).map(SwiftText.number)
        case (.string, .scalar(.string(let text))): SwiftText.literal(text)
        default: nil
        }
    }
}
