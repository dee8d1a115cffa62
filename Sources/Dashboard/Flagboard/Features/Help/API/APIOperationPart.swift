import FeatureFlags
import HTTPTypes

struct APIOperationPart: Hashable, PagePart {
    let id: String
    let method: String
    let path: String
    let summary: String
    let curl: String?
    /// The fields of the request, by place.
    let sent: [FieldGroup]
    /// The rule for interdependent members of the body.
    let rule: String?
    let answers: [Answer]

    struct FieldGroup: Hashable, PagePart {
        let heading: String
        let fields: [APIFieldPart]
    }

    struct Answer: Hashable, PagePart {
        let status: String
        let about: String
        let words: [SchemaWords.Word]
    }

    init(
        _ operation: APIOperation, _ route: Route, _ method: HTTPRequest.Method, _ described: FlagValue,
        curl: CurlLine, to address: CurlLine.Address
    ) {
        id = "operation-\(operation.name)"
        self.method = method.rawValue
        path = APIDescription.path(of: route, operation)
        summary = operation.summary
        self.curl = curl.text(
            to: operation.isOpen ? CurlLine.Address(base: address.base, needsToken: false) : address)
        let schema = described.member("requestBody")?.member("content")?.member("application/json")?.member("schema")
        let places = [("path", "Path"), ("query", "Query"), ("header", "Headers")]
        var sent = places.map { FieldGroup(heading: $1, fields: APIFieldPart.parameters(of: described, in: $0)) }
        var (members, rule) = (APIFieldPart.members(of: schema), Self.rule(schema))
        if case .choice(let shape)? = operation.body {
            (members, rule) = (APIFieldPart.fields(of: shape), Self.rule(shape))
        }
        sent.append(FieldGroup(heading: "Body (JSON)", fields: members))
        self.sent = sent.filter { !$0.fields.isEmpty }
        self.rule = rule
        answers = Self.answers(described)
    }

    /// Returns the rule that one of two members is required.
    private static func rule(_ schema: FlagValue?) -> String? {
        let names = ["else", "if"].compactMap { schema?.member($0)?.member("required")?.items?.first?.text }
        return names.count == 2 ? "Send either \(names.joined(separator: " or "))." : nil
    }

    /// Returns the rule for members that depend on the action.
    private static func rule(_ shape: JSONShape) -> String? {
        guard case .choice(let member, let options) = shape else { return nil }
        let rules = options.map { words, shape in
            let names = shape.sentFields.map(\.name).filter { $0 != member }
            return "\(words.joined(separator: " or ")) takes \(names.joined(separator: " and "))"
        }
        return "By \(member): \(rules.joined(separator: "; "))."
    }

    private static func answers(_ described: FlagValue) -> [Answer] {
        let responses = described.member("responses")?.members ?? [:]
        return responses.filter { $0.key != "default" }.sorted { $0.key < $1.key }.map { status, response in
            // The summary already describes success.
            let about = status == "200" ? nil : response.member("description")?.text
            return Answer(status: status, about: about ?? "", words: words(response.member("content")?.members ?? [:]))
        }
    }

    /// The schemas of JSON, the media types of other contents.
    private static func words(_ contents: [String: FlagValue]) -> [SchemaWords.Word] {
        let words = contents.sorted { $0.key < $1.key }.map { type, content -> [SchemaWords.Word] in
            let schema = content.member("schema")
            return type.hasSuffix("json") && schema?.members?.isEmpty == false
                ? SchemaWords(schema).words : [SchemaWords.Word(type, isCode: true)]
        }
        return SchemaWords.joined(words, by: " or ")
    }
}

struct APIFieldPart: Hashable, PagePart {
    let name: String
    let isRequired: Bool
    let words: [SchemaWords.Word]
    /// `nil` if the name suffices.
    let about: String?

    /// Required ones first.
    static func members(of schema: FlagValue?) -> [APIFieldPart] {
        let properties = schema?.member("properties")?.members ?? [:]
        let required = schema?.member("required")?.items ?? []
        let fields = properties.map { name, schema in
            APIFieldPart(
                name: name, isRequired: required.contains(.string(name)), words: SchemaWords(schema).words,
                about: schema.member("description")?.text)
        }
        let sorted = fields.sorted { $0.name < $1.name }
        return sorted.filter(\.isRequired) + sorted.filter { !$0.isRequired }
    }

    static func fields(of shape: JSONShape) -> [APIFieldPart] {
        shape.sentFields.map { field in
            var documents: [String: FlagValue] = [:]
            return APIFieldPart(
                name: field.name, isRequired: field.isRequired,
                words: SchemaWords(field.shape.schema(&documents)).words,
                about: field.about)
        }
    }

    static func parameters(of described: FlagValue, in place: String) -> [APIFieldPart] {
        let parameters = described.member("parameters")?.items ?? []
        return parameters.filter { $0.member("in")?.text == place }.map { parameter in
            APIFieldPart(
                name: parameter.member("name")?.text ?? "", isRequired: parameter.member("required") == .bool(true),
                words: SchemaWords(parameter.member("schema")).words, about: parameter.member("description")?.text)
        }
    }
}
