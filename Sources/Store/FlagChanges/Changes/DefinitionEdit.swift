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

extension DefinitionEdit {
    /// Asks for a definition that a program tells as JSON: what the manifest's entry holds, as its export says it.
    ///
    /// - Parameter breaksValues: Whether it is to be so even where a provider holds a value that will be broken then.
    package init(key: FlagKeyPath, json: [String: JSONValue], breaksValues: Bool) throws(ChangeError) {
        let flag = Self.word(json, .type).flatMap(FlagType.init(rawValue:)).map { type in
            FlagDefinition(
                key: key, type: type, storage: Self.word(json, .storage).flatMap(FlagStorage.init(rawValue:)))
        }
        var fields = [ManifestField.key.rawValue: FlagValue.string(key.text)]
        var problems: [String: String] = [:]
        for (name, value) in json {
            do throws(FlagValueError) {
                fields[name] = try Self.stored(value, as: ManifestField(rawValue: name), of: flag)
            } catch {
                problems[name] = error.description
            }
        }
        guard problems.isEmpty else { throw .invalid(key, problems) }
        let root: FlagValue = .dictionary([
            ManifestField.version.rawValue: .integer(1), ManifestField.flags.rawValue: .array([.dictionary(fields)]),
        ])
        let definitions: [FlagDefinition]
        do {
            definitions = Array(try FlagManifestContent(root: root).definitions)
        } catch {
            throw .invalid(key, error)
        }
        guard let definition = definitions.first else { throw .unknown(key) }
        self.init(definition, breaksValues: breaksValues)
    }

    private static func word(_ json: [String: JSONValue], _ field: ManifestField) -> String? {
        if case .scalar(.string(let word))? = json[field.rawValue] { word } else { nil }
    }

    /// A field's JSON as a property list holds it: in the default or a suggestion, text that stands for data becomes data.
    private static func stored(
        _ json: JSONValue, as field: ManifestField?, of flag: FlagDefinition?
    ) throws(FlagValueError) -> FlagValue {
        let layouts: [FlagType] = [.data, .json]
        switch (field?.shape, json) {
        case (.value, _):
            if let flag, layouts.contains(flag.type) { return try flag.parse(json: json) }
        case (.values, .array(let items)):
            guard let flag, layouts.contains(flag.type) else { break }
            var values: [FlagValue] = []
            for item in items { values.append(try flag.parse(json: item)) }
            return .array(values)
        default: break
        }
        guard let value = json.stored else {
            throw FlagValueError("found \(json.briefDescription), which a property list can't store")
        }
        return value
    }
}
