import FeatureFlags

/// A field of a request, or a member of what is answered.
struct APIFieldPart: Hashable, PagePart {
    let name: String
    let isRequired: Bool
    let words: [SchemaWords.Word]
    /// What it means; `nil` where its name says it.
    let about: String?

    /// The members of an object.
    ///
    /// - Parameter schema: Its schema; `nil` for none.
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

    /// The members of objects of which one is sent.
    static func fields(of shape: JSONShape) -> [APIFieldPart] {
        shape.sentFields.map { field in
            var documents: [String: FlagValue] = [:]
            return APIFieldPart(
                name: field.name, isRequired: field.isRequired,
                words: SchemaWords(field.shape.schema(&documents)).words,
                about: field.about)
        }
    }

    /// The parameters of an operation in one place.
    static func parameters(of described: FlagValue, in place: String) -> [APIFieldPart] {
        let parameters = described.member("parameters")?.items ?? []
        return parameters.filter { $0.member("in")?.text == place }.map { parameter in
            APIFieldPart(
                name: parameter.member("name")?.text ?? "", isRequired: parameter.member("required") == .bool(true),
                words: SchemaWords(parameter.member("schema")).words, about: parameter.member("description")?.text)
        }
    }
}
