import FeatureFlags
import FeatureFlagsXML

/// A definition that an author asks for.
public struct DefinitionEdit: Hashable, Sendable {
    /// The flag as it is to be.
    public var definition: FlagDefinition
    /// Whether it is to be so even where a provider holds a value that will be broken then.
    public var breaksValues: Bool
    /// The flag's entry as a manifest held it, with what Flagboard does not know; `nil` where it is made of ``definition``.
    private(set) var entry: [String: FlagValue]?

    /// Asks for a definition.
    public init(_ definition: FlagDefinition, breaksValues: Bool = false) {
        self.definition = definition
        self.breaksValues = breaksValues
    }

    /// Asks for what a manifest once held, to the last entry; `nil` where that is no valid definition of a flag.
    ///
    /// - Parameters:
    ///   - entry: The flag's dictionary in the manifest.
    ///   - breaksValues: Whether it is to be so even where a provider holds a value that will be broken then.
    public init?(entry: FlagValue, breaksValues: Bool) {
        guard case .dictionary(let fields) = entry, let definition = FlagDefinition(manifestEntry: fields) else {
            return nil
        }
        self.init(definition, breaksValues: breaksValues)
        self.entry = fields
    }

    /// The same edit, but that the flag is not locked.
    var unlocked: DefinitionEdit {
        var edit = self
        edit.definition.metadata.isLocked = false
        edit.entry?["isLocked"] = nil
        return edit
    }

    /// What the flag's dictionary in the manifest is to hold.
    func fields(for key: FlagKeyPath) -> [String: FlagValue] {
        var fields = entry ?? definition.manifestEntry
        fields["key"] = .string(key.text)
        return fields
    }

}

extension DefinitionEdit {
    /// The edit as one value, to be passed on.
    public var fields: FlagValue {
        let definition = entry ?? definition.manifestEntry
        return .dictionary([
            entry == nil ? "definition" : "entry": .dictionary(definition), "breaksValues": .bool(breaksValues),
        ])
    }

    /// Takes an edit back from what ``fields`` gave; `nil` where it is no such value, or not valid in itself.
    public init?(fields: FlagValue) {
        guard case .dictionary(let parts) = fields, parts.count == 2,
            case .bool(let breaksValues) = parts["breaksValues"]
        else { return nil }
        if let entry = parts["entry"] {
            self.init(entry: entry, breaksValues: breaksValues)
            return
        }
        guard case .dictionary(let entry) = parts["definition"], let definition = FlagDefinition(manifestEntry: entry)
        else { return nil }
        self.init(definition, breaksValues: breaksValues)
    }
}
