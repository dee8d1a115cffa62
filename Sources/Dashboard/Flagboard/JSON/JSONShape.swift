import FeatureFlags

indirect enum JSONShape: Sendable {
    case anything, text, boolean, integer
    case words([String])
    case optional(JSONShape)
    case array(JSONShape)
    case map(JSONShape)
    /// A named object, described once.
    case document(String, @Sendable () -> [Member])
    case schema([String: FlagValue])
    case either([JSONShape])
    /// A named object in a request, with no other members; `rules` adds keywords to its schema.
    case sent(String, [APIField], rules: [String: FlagValue] = [:])
    /// One of several objects, chosen by the text of one member.
    case choice(by: String, [(words: [String], shape: JSONShape)])
    /// One item or more, up to a maximum.
    case list(of: JSONShape, upTo: Int)

    struct Member: Sendable {
        let name: String
        /// ``JSONShape/optional(_:)`` if the member may be omitted.
        let shape: JSONShape
        var about: String?
    }

    /// A document named for its type: `Flagboard.ChangeDocument` is `Change`.
    static func document<Document>(
        of type: Document.Type, _ members: @escaping @Sendable () -> [Member]
    ) -> JSONShape {
        // `String(reflecting:)` includes a file-private type's file in parentheses.
        let parts = String(reflecting: type).split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }
        return .document(parts.joined(separator: ".").replacing("Document", with: ""), members)
    }
}

extension JSONShape {
    /// JSON Schema (2020-12, as in OpenAPI 3.1), with documents by reference.
    func schema(_ documents: inout [String: FlagValue]) -> FlagValue {
        switch self {
        case .anything: return [:]
        case .text: return ["type": "string"]
        case .boolean: return ["type": "boolean"]
        case .integer: return ["type": "integer"]
        case .words(let words): return ["type": "string", "enum": .array(words.map { .string($0) })]
        case .optional(let shape): return shape.schema(&documents)
        case .array(let shape): return ["type": "array", "items": shape.schema(&documents)]
        case .map(let shape): return ["type": "object", "additionalProperties": shape.schema(&documents)]
        case .schema(let schema): return .dictionary(schema)
        case .either(let shapes): return ["anyOf": .array(shapes.map { $0.schema(&documents) })]
        case .document(let name, let members):
            if documents[name] == nil {
                // Ends the recursion of a document that contains itself.
                documents[name] = [:]
                documents[name] = Self.object(name, members(), &documents)
            }
            return Self.reference(name)
        case .list(let shape, let most):
            return [
                "type": "array", "minItems": 1, "maxItems": .integer(Int128(most)), "items": shape.schema(&documents),
            ]
        case .sent(let name, let fields, let rules):
            if documents[name] == nil { documents[name] = Self.object(of: fields, rules, &documents) }
            return Self.reference(name)
        case .choice(let member, let options):
            var mapping: [String: FlagValue] = [:]
            var references: [FlagValue] = []
            for (words, shape) in options {
                let reference = shape.schema(&documents)
                references.append(reference)
                for word in words { mapping[word] = reference.member("$ref") }
            }
            return [
                "oneOf": .array(references),
                "discriminator": ["propertyName": .string(member), "mapping": .dictionary(mapping)],
            ]
        }
    }

    private static func reference(_ name: String) -> FlagValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// Describes an object closed to other members.
    static func object(
        of fields: [APIField], _ rules: [String: FlagValue], _ documents: inout [String: FlagValue]
    ) -> FlagValue {
        var properties: [String: FlagValue] = [:]
        for field in fields {
            var schema = field.shape.schema(&documents)
            if case .dictionary(var members) = schema {
                members["description"] = .string(field.about)
                schema = .dictionary(members)
            }
            properties[field.name] = schema
        }
        var schema: [String: FlagValue] = [
            "type": "object", "additionalProperties": false, "properties": .dictionary(properties),
        ]
        let required = fields.filter(\.isRequired).map { FlagValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        schema.merge(rules) { $1 }
        return .dictionary(schema)
    }

    private static func object(
        _ name: String, _ members: [Member], _ documents: inout [String: FlagValue]
    ) -> FlagValue {
        var properties: [String: FlagValue] = [:]
        for member in members {
            var schema = member.shape.schema(&documents)
            if case .dictionary(var rules) = schema,
                let text = member.about ?? APIMemberText.text(of: member.name, in: name)
            {
                rules["description"] = .string(text)
                schema = .dictionary(rules)
            }
            properties[member.name] = schema
        }
        let required = members.filter { !$0.shape.isOptional }.map { FlagValue.string($0.name) }
        var object: [String: FlagValue] = ["type": "object", "properties": .dictionary(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        return .dictionary(object)
    }

    /// Each member once; required only if required in every choice.
    var sentFields: [APIField] {
        switch self {
        case .sent(_, let fields, _): return fields
        case .choice(let member, let options):
            var names: Set<String> = []
            let fields = options.flatMap { $0.shape.sentFields }
            return fields.filter { names.insert($0.name).inserted }.map { field in
                let isRequired = fields.count { $0.name == field.name && $0.isRequired } == options.count
                let shape = field.name == member ? JSONShape.words(options.flatMap { $0.words }) : field.shape
                return APIField(field.name, shape, field.about, isRequired: isRequired)
            }
        default: return []
        }
    }

    var takesEmptyText: Bool {
        switch self {
        case .text: true
        case .schema(let schema): schema["type"] == "string" && schema["pattern"] == nil && schema["format"] == nil
        default: false
        }
    }

    private var isOptional: Bool {
        if case .optional = self { true } else { false }
    }
}

/// Writes either the JSON or the shape of a ``JSONRecord``.
protocol JSONMemberSink {
    mutating func add<Content: JSONContent>(_ name: StaticString, _ content: Content)
}

private struct MemberShapes: JSONMemberSink {
    var members: [JSONShape.Member] = []

    mutating func add<Content: JSONContent>(_ name: StaticString, _ content: Content) {
        members.append(JSONShape.Member(name: "\(name)", shape: Content.shape))
    }
}

/// An object whose members are written directly, sorted by name, because there are many of them.
protocol JSONRecord: JSONContent {
    /// The instance from which the shape is derived.
    static var sample: Self { get }
    func tell(_ sink: inout some JSONMemberSink)
}

extension JSONRecord {
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        tell(&json)
        json.append(UInt8(ascii: "}"))
    }

    static var shape: JSONShape {
        .document(of: Self.self) {
            var shapes = MemberShapes()
            Self.sample.tell(&shapes)
            return shapes.members
        }
    }
}

struct APIField: Sendable {
    let name: String
    let shape: JSONShape
    let about: String
    let isRequired: Bool

    init(_ name: String, _ shape: JSONShape, _ about: String, isRequired: Bool = false) {
        (self.name, self.shape, self.about, self.isRequired) = (name, shape, about, isRequired)
    }

    init(_ name: String, _ about: String, isRequired: Bool = false) {
        self.init(name, .text, about, isRequired: isRequired)
    }
}
