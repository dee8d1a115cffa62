import FeatureFlags
import FeatureFlagsXML
import FlagChanges

struct DefinitionDocument: JSONDocument {
    let key: String
    /// Without fields that have no effect.
    let definition: DefinitionFields
    /// For `If-Match`.
    let revision: String

    init(_ stored: StoredDefinition) {
        key = stored.definition.key.text
        let entry = FlagJSON.json(manifest: .dictionary(stored.definition.manifestEntry))
        let fields = if case .object(let fields) = entry { fields } else { [String: JSONValue]() }
        definition = DefinitionFields(
            fields: fields.filter { $0.key != ManifestField.key.rawValue }.mapValues(PlainValue.init(json:)))
        revision = stored.revision.rawValue
    }
}

struct DefinitionFields: JSONContent {
    let fields: [String: PlainValue]

    static var shape: JSONShape { DefinitionDocument.fields }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) { fields.write(to: &json) }
}

struct DefinitionListDocument: JSONDocument {
    let definitions: [DefinitionDocument]
    /// Omitted on the last page.
    let after: String?
}

struct DefinitionOutcomeDocument: JSONDocument {
    let outcome: OutcomeWord
    /// The history row; omitted if nothing was written.
    ///
    /// Rows for values that moved with the definition have the same `batch`.
    let change: ChangeDocument?
    /// Omitted if none is left.
    let definition: DefinitionDocument?

    init(_ outcome: ChangeOutcome, _ stored: StoredDefinition?) {
        switch outcome {
        case .applied(let record): (self.outcome, change) = (.applied, ChangeDocument(record))
        case .unchanged: (self.outcome, change) = (.unchanged, nil)
        }
        definition = stored.map(DefinitionDocument.init)
    }
}
