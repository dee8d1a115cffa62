import FeatureFlags

/// What JSON there is of a type: the description of the API is made of it.
indirect enum JSONShape: Sendable {
    case anything, text, boolean, integer
    /// One of some texts.
    case words([String])
    case optional(JSONShape)
    case array(JSONShape)
    /// An object with members of any names.
    case map(JSONShape)
    /// An object that has a name of its own, and is described once.
    case document(String, @Sendable () -> [Member])
    /// What JSON Schema says best.
    case schema([String: FlagValue])
    /// One of some documents.
    case either([JSONShape])
    /// An object that is sent, which has a name of its own, these members and no others, and what its schema says beside them.
    case sent(String, [APIField], rules: [String: FlagValue] = [:])
    /// One of some objects that are sent, told apart by what one of their members says.
    case choice(by: String, [(words: [String], shape: JSONShape)])
    /// So many items at most, and one at least.
    case list(of: JSONShape, upTo: Int)

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        /// What it holds; ``JSONShape/optional(_:)`` where it may be left out.
        let shape: JSONShape
    }

    /// What is described as an object of its own name, after a type: `Flagboard.ChangeDocument` is `Change`.
    static func document<Document>(
        of type: Document.Type, _ members: @escaping @Sendable () -> [Member]
    ) -> JSONShape {
        // What stands in a file of its own is told with the place of that file in parentheses.
        let parts = String(reflecting: type).split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }
        return .document(parts.joined(separator: ".").replacing("Document", with: ""), members)
    }
}

extension JSONShape {
    /// The JSON Schema (2020-12, as OpenAPI 3.1 has it), with each document by reference.
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
                // A document may hold others like itself.
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

    /// An object that is sent: with these members and no others.
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
            if case .dictionary(var rules) = schema, let text = APIMemberText.text(of: member.name, in: name) {
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

    /// The members of objects that are sent, each once, and as required where it is in each; none of anything else.
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

    /// Whether it may be the empty text.
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

/// What takes the members of an object that tells of itself: the JSON, or its shape.
protocol JSONMemberSink {
    /// Takes a member; one whose value is `nil` is left out.
    mutating func add<Content: JSONContent>(_ name: StaticString, _ content: Content)
}

/// The shape of an object, from the members that it tells.
private struct MemberShapes: JSONMemberSink {
    var members: [JSONShape.Member] = []

    mutating func add<Content: JSONContent>(_ name: StaticString, _ content: Content) {
        members.append(JSONShape.Member(name: "\(name)", shape: Content.shape))
    }
}

/// An object of which there are many: its members are told one after the other, in the order of their names, as they are written.
protocol JSONRecord: JSONContent {
    /// One of them, from which their members are known.
    static var sample: Self { get }
    /// Tells the members.
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

/// An item of a query, or a member of a body, that programs send.
struct APIField: Sendable {
    let name: String
    let shape: JSONShape
    /// What it means, in a sentence.
    let about: String
    let isRequired: Bool

    /// Names a field.
    init(_ name: String, _ shape: JSONShape, _ about: String, isRequired: Bool = false) {
        (self.name, self.shape, self.about, self.isRequired) = (name, shape, about, isRequired)
    }

    /// Names a field that holds text.
    init(_ name: String, _ about: String, isRequired: Bool = false) {
        self.init(name, .text, about, isRequired: isRequired)
    }
}
