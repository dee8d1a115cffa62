import FeatureFlags

/// A JSON Schema in a few words.
struct SchemaWords {
    /// A piece of text, linked to a document if it names one.
    struct Word: Hashable, PagePart {
        let text: String
        let href: String?
        let isCode: Bool

        init(_ text: String, href: String? = nil, isCode: Bool = false) {
            (self.text, self.href, self.isCode) = (text, href, isCode)
        }
    }

    let words: [Word]

    init(_ schema: FlagValue?) {
        guard case .dictionary(let schema)? = schema else {
            words = [Word("anything")]
            return
        }
        words = Self.words(schema)
    }

    static func id(ofDocument name: String) -> String { "document-\(name)" }

    private static func words(_ schema: [String: FlagValue]) -> [Word] {
        if case .string(let reference)? = schema["$ref"], let name = reference.split(separator: "/").last {
            return [Word("\(name)", href: "#\(id(ofDocument: "\(name)"))")]
        }
        if let value = schema["const"] { return [code(value)] }
        if case .array(let values)? = schema["enum"] { return joined(values.map { [code($0)] }, by: ", ") }
        for choice in ["anyOf", "oneOf"] {
            guard case .array(let schemas)? = schema[choice], schema["type"] == nil else { continue }
            return joined(schemas.map { SchemaWords($0).words }, by: " or ")
        }
        guard case .array(let types)? = schema["type"] else { return typed(schema["type"], schema) }
        return joined(types.map { typed($0, schema) }, by: " or ")
    }

    private static func typed(_ type: FlagValue?, _ schema: [String: FlagValue]) -> [Word] {
        switch type {
        case "string": [Word(text(schema))]
        case "integer": [Word("whole number" + range(schema))]
        case "number": [Word("number" + range(schema))]
        case "boolean": [Word("true or false")]
        case "null": [code("null")]
        case "array": [Word("list of ")] + SchemaWords(schema["items"]).words
        case "object": object(schema)
        default: [Word("any JSON")]
        }
    }

    private static func text(_ schema: [String: FlagValue]) -> String {
        let kind =
            switch schema["format"] {
            case "date": "day"
            case "date-time": "time"
            case "uuid": "UUID"
            case .string(let format)?: "text (\(format))"
            default: "text"
            }
        guard case .integer(let longest)? = schema["maxLength"] else { return kind }
        return "\(kind), at most \(longest) characters"
    }

    private static func range(_ schema: [String: FlagValue]) -> String {
        guard case .integer(let least)? = schema["minimum"], case .integer(let most)? = schema["maximum"],
            most < Int128(Int64.max)
        else { return "" }
        return " from \(least) to \(most)"
    }

    private static func object(_ schema: [String: FlagValue]) -> [Word] {
        if case .dictionary(let properties)? = schema["properties"], !properties.isEmpty {
            return [Word("object with ")] + joined(properties.keys.sorted().map { [Word($0, isCode: true)] }, by: ", ")
        }
        if case .dictionary(let values)? = schema["additionalProperties"], !values.isEmpty {
            return [Word("object whose members are ")] + words(values)
        }
        return [Word("object")]
    }

    private static func code(_ value: FlagValue) -> Word {
        if case .string(let text) = value { return Word(text, isCode: true) }
        return Word(FlagJSON.line(value), isCode: true)
    }

    static func joined(_ lists: [[Word]], by separator: String) -> [Word] {
        lists.enumerated().flatMap { place, words in place == 0 ? words : [Word(separator)] + words }
    }
}

extension FlagValue {
    func member(_ name: String) -> FlagValue? { members?[name] }

    var members: [String: FlagValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    var items: [FlagValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
