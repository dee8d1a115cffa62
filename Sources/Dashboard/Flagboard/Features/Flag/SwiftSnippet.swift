import FeatureFlags
import FlagChanges
import FlagCode
import Foundation

/// A flag as it is declared in Swift.
struct SwiftSnippet {
    /// The declaration; `nil` where no type of the library holds the flag's default, such as an array of values of
    /// different kinds.
    let text: String?

    /// How many characters the arguments may have on one line.
    private static let lineLimit = 60

    /// Writes the declaration of a flag.
    ///
    /// - Parameter entry: The flag.
    init(_ entry: FlagEntry) {
        let definition = entry.definition
        guard let type = SwiftType.type(of: definition, holding: entry.resolution.effectiveValue) else {
            text = nil
            return
        }
        let component = entry.key.components.last ?? ""
        let property = Self.identifier(component)
        let isMade = KeyConfiguration.Transform.snakeCase.component(for: property) == component
        var arguments: [String] = []
        if let name = definition.metadata.name { arguments.append("name: \(SwiftText.literal(name))") }
        if !isMade { arguments.append("key: \(SwiftText.literal(component))") }
        if let literal = type.defaultLiteral { arguments.append("default: \(literal)") }
        arguments.append("description: \(Self.description(definition.metadata))")
        let isOptional = type.defaultLiteral == nil
        let quoted = Self.keywords.contains(property) ? "`\(property)`" : property
        let place = entry.key.ancestors.last.map {
            "// In the collection whose key path is \(SwiftText.literal($0.text)):\n"
        }
        let line = arguments.joined(separator: ", ")
        let attribute =
            line.count <= Self.lineLimit
            ? "@Flag(\(line))" : "@Flag(\n    \(arguments.joined(separator: ",\n    "))\n)"
        text =
            (type.declaration.map { $0 + "\n\n" } ?? "") + (place ?? "") + Self.limits(definition.constraints)
            + "\(attribute)\nvar \(quoted): \(type.name)\(isOptional ? "?" : "")"
    }

    /// What only the manifest says of a flag, as a comment.
    private static func limits(_ constraints: FlagConstraints) -> String {
        let limits = [
            constraints.minimum.map { "minimum \($0.text)" }, constraints.maximum.map { "maximum \($0.text)" },
            constraints.pattern.map { "pattern \(SwiftText.literal($0))" },
        ].compactMap(\.self)
        return limits.isEmpty ? "" : "// Kept in the manifest: \(limits.joined(separator: ", "))\n"
    }

    private static func description(_ metadata: FlagMetadata) -> String {
        let text = SwiftText.literal(metadata.description)
        var more: [String] = []
        if let order = metadata.order { more.append("order: \(order)") }
        if metadata.isInternal { more.append("isInternal: true") }
        if let icon = metadata.uiIcon { more.append("uiIcon: \(SwiftText.literal(icon))") }
        if metadata.isLocked { more.append("isLocked: true") }
        if metadata.requiresRestart { more.append("requiresRestart: true") }
        if !metadata.tags.isEmpty { more.append("tags: \(SwiftText.list(metadata.tags.map(SwiftText.literal)))") }
        if let owner = metadata.owner { more.append("owner: \(SwiftText.literal(owner))") }
        if let expires = metadata.expires {
            more.append("expires: \(SwiftText.date(expires))")
        }
        if let retired = metadata.retired { more.append("retired: \(SwiftText.literal(retired))") }
        guard !more.isEmpty else { return text }
        let arguments = ["description: \(text)"] + more
        let line = arguments.joined(separator: ", ")
        return line.count <= lineLimit
            ? "FlagMetadata(\(line))"
            : "FlagMetadata(\n        \(arguments.joined(separator: ",\n        "))\n    )"
    }

    /// The name of a property whose component the text may be: `new_flow` becomes `newFlow`.
    ///
    /// - Parameters:
    ///   - text: A component of a key path, or a choice.
    ///   - fallback: The name for a text that has no letter or digit.
    /// - Returns: The name, not yet quoted where Swift has it for a word of its own.
    static func identifier(_ text: String, or fallback: String = "flag") -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.enumerated().map { place, word in
            place == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        guard let first = joined.first else { return fallback }
        return first.isNumber ? fallback + joined : joined
    }

    /// The words that a name must be quoted to be.
    static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
}

/// The Swift type of a flag, with its default as code.
private struct SwiftType {
    let name: String
    let defaultLiteral: String?
    /// What must be declared besides: the enum of a choice.
    let declaration: String?

    /// The type of a flag; where it has no default, what it holds says what it is made of.
    static func type(of definition: FlagDefinition, holding effective: FlagValue?) -> SwiftType? {
        definition.type == .choice ? choice(definition) : value(definition, effective)
    }

    private static func value(_ definition: FlagDefinition, _ effective: FlagValue?) -> SwiftType? {
        let value = definition.defaultValue
        let plain = (value ?? effective).map(Self.plain)
        let name: String?
        switch definition.type {
        case .bool: name = "Bool"
        case .integer: name = plain.map { $0?.name } ?? "Int"
        case .double: name = "Double"
        case .string: name = "String"
        case .date: name = "Date"
        case .data: name = "Data"
        case .url: name = "URL"
        case .array: name = plain.map { $0?.name } ?? "[String]"
        case .dictionary: name = plain.map { $0?.name } ?? "[String: String]"
        case .json, .choice: name = "JSONData"
        }
        guard let name else { return nil }
        guard let value else { return SwiftType(name: name, defaultLiteral: nil, declaration: nil) }
        let literal: String? =
            switch (definition.type, value) {
            case (.url, .string(let text)): "URL(string: \(SwiftText.literal(text)))!"
            case (.date, .string(let text)): FlagDate.parse(text).flatMap { Self.plain(.date($0))?.literal }
            case (.double, .integer(let number)): "\(number)"
            case (.json, .dictionary): "JSONData(jsonString: \(SwiftText.literal(JSONText.line(value))))!"
            case (.json, _): nil
            default: plain??.literal
            }
        return literal.map { SwiftType(name: name, defaultLiteral: $0, declaration: nil) }
    }

    /// One case of a choice's enum.
    private struct ChoiceCase {
        let value: FlagValue
        let name: String
        /// The raw value as code; `nil` where the name says it.
        let literal: String?

        /// The case of a text or a whole number; `nil` for any other value.
        init?(_ value: FlagValue) {
            self.value = value
            switch value {
            case .string(let text):
                name = SwiftSnippet.identifier(text, or: "choice")
                literal = name == text ? nil : SwiftText.literal(text)
            case .integer(let number):
                guard let whole = Int(exactly: number) else { return nil }
                name = SwiftSnippet.identifier(whole < 0 ? "minus \(whole.magnitude)" : "\(whole)", or: "value")
                literal = "\(whole)"
            default: return nil
            }
        }
    }

    /// A choice among texts, or among whole numbers, is an enum.
    private static func choice(_ definition: FlagDefinition) -> SwiftType? {
        let cases = definition.constraints.choices.compactMap { ChoiceCase($0) }
        let kinds = Set(cases.map(\.value.kind))
        guard let kind = kinds.first, kinds.count == 1, cases.count == definition.constraints.choices.count,
            Set(cases.map(\.name)).count == cases.count
        else { return nil }
        let component = SwiftSnippet.identifier(definition.key.components.last ?? "")
        let name = component.prefix(1).uppercased() + component.dropFirst()
        let lines = cases.map { item in
            let quoted = SwiftSnippet.keywords.contains(item.name) ? "`\(item.name)`" : item.name
            return "    case \(quoted)" + (item.literal.map { " = \($0)" } ?? "")
        }
        let raw = kind == FlagValue.string("").kind ? "String" : "Int"
        let declaration = "enum \(name): \(raw), CaseIterable, FlagProtocol {\n\(lines.joined(separator: "\n"))\n}"
        guard let value = definition.defaultValue else {
            return SwiftType(name: name, defaultLiteral: nil, declaration: declaration)
        }
        return cases.first { $0.value == value }.map {
            SwiftType(name: name, defaultLiteral: ".\($0.name)", declaration: declaration)
        }
    }

    /// The type and the literal of a value by itself; `nil` where its parts are of different types.
    private static func plain(_ value: FlagValue) -> (name: String, literal: String)? {
        switch value {
        case .bool(let value): return ("Bool", "\(value)")
        case .integer(let value): return (Int(exactly: value) == nil ? "UInt64" : "Int", "\(value)")
        case .double(let value): return ("Double", SwiftText.number(value))
        case .string(let value): return ("String", SwiftText.literal(value))
        case .date(let value): return ("Date", SwiftText.date(value))
        case .data(let value): return ("Data", "Data(base64Encoded: \"\(value.base64EncodedString())\")!")
        case .array(let values):
            let parts = values.compactMap(plain)
            guard let type = type(of: parts, count: values.count) else { return nil }
            return ("[\(type)]", "[\(parts.map(\.literal).joined(separator: ", "))]")
        case .dictionary(let values):
            let sorted = values.sorted { $0.key < $1.key }
            let parts = sorted.compactMap { plain($0.value) }
            guard let type = type(of: parts, count: values.count) else { return nil }
            let entries = zip(sorted, parts).map { "\(SwiftText.literal($0.key)): \($1.literal)" }
            return ("[String: \(type)]", entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]")
        case .broken: return nil
        }
    }

    private static func type(of parts: [(name: String, literal: String)], count: Int) -> String? {
        guard parts.count == count, Set(parts.map(\.name)).count <= 1 else { return nil }
        return parts.first?.name ?? "String"
    }
}
