import FeatureFlags
import FeatureFlagsXML

extension DefinitionEdit {
    /// The edit as one value, to be passed on.
    public var fields: FlagValue {
        .dictionary(["definition": .dictionary(definition.manifestEntry), "breaksValues": .bool(breaksValues)])
    }

    /// Takes an edit back from what ``fields`` gave; `nil` where it is no such value, or not valid in itself.
    public init?(fields: FlagValue) {
        guard case .dictionary(let parts) = fields, parts.count == 2, case .dictionary(let entry) = parts["definition"],
            case .bool(let breaksValues) = parts["breaksValues"], let definition = FlagDefinition(manifestEntry: entry)
        else { return nil }
        self.init(definition, breaksValues: breaksValues)
    }
}
