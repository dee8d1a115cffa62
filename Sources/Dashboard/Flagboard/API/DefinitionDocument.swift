import FeatureFlags
import FeatureFlagsXML
import FlagChanges

/// A flag's definition as the API tells it.
struct DefinitionDocument: JSONDocument {
    let key: String
    /// What the manifest says of the flag, in the manifest's words; fields that have no effect are not in it.
    let definition: DefinitionFields
    /// What a change of the definition states in `If-Match`.
    let revision: String

    /// Tells of a definition.
    init(_ stored: StoredDefinition) {
        key = stored.definition.key.text
        let entry = FlagJSON.json(manifest: .dictionary(stored.definition.manifestEntry))
        let fields = if case .object(let fields) = entry { fields } else { [String: JSONValue]() }
        definition = DefinitionFields(
            fields: fields.filter { $0.key != ManifestField.key.rawValue }.mapValues(PlainValue.init(json:)))
        revision = stored.revision.rawValue
    }
}

/// The fields of a definition by their names in the manifest.
struct DefinitionFields: JSONContent {
    let fields: [String: PlainValue]

    static var shape: JSONShape { DefinitionDocument.fields }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) { fields.write(to: &json) }
}

/// Some definitions.
struct DefinitionListDocument: JSONDocument {
    let definitions: [DefinitionDocument]
    /// What to ask for the next ones with; left out with the last ones.
    let after: String?
}

/// What became of a change of a definition.
struct DefinitionOutcomeDocument: JSONDocument {
    let outcome: OutcomeWord
    /// The history's row; left out where nothing was written.
    ///
    /// Rows of values that moved or went along have the same `batch`.
    let change: ChangeDocument?
    /// The definition as the change left it; left out where there is none.
    let definition: DefinitionDocument?

    /// Tells of a change.
    ///
    /// - Parameter stored: The definition as the change left it, where that is known.
    init(_ outcome: ChangeOutcome, _ stored: StoredDefinition?) {
        switch outcome {
        case .applied(let record): (self.outcome, change) = (.applied, ChangeDocument(record))
        case .unchanged: (self.outcome, change) = (.unchanged, nil)
        }
        definition = stored.map(DefinitionDocument.init)
    }
}
