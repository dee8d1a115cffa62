import FeatureFlags
import FeatureFlagsXML

/// A definition that an author asks for.
public struct DefinitionEdit: Hashable, Sendable {
    /// The new definition.
    public var definition: FlagDefinition
    /// Allows the edit even if it breaks stored values.
    public var breaksValues: Bool
    /// The original manifest entry with unknown fields; `nil` if made from ``definition``.
    private(set) var entry: [String: FlagValue]?

    /// Makes an edit.
    public init(_ definition: FlagDefinition, breaksValues: Bool = false) {
        self.definition = definition
        self.breaksValues = breaksValues
    }

    /// Makes an edit that restores a manifest entry exactly; `nil` if it is invalid.
    ///
    /// - Parameters:
    ///   - entry: The flag's dictionary in the manifest.
    ///   - breaksValues: Allows the edit even if it breaks stored values.
    public init?(entry: FlagValue, breaksValues: Bool) {
        guard case .dictionary(let fields) = entry, let definition = FlagDefinition(manifestEntry: fields) else {
            return nil
        }
        self.init(definition, breaksValues: breaksValues)
        self.entry = fields
    }

    var unlocked: DefinitionEdit {
        var edit = self
        edit.definition.metadata.isLocked = false
        edit.entry?["isLocked"] = nil
        return edit
    }

    func fields(for key: FlagKeyPath) -> [String: FlagValue] {
        var fields = entry ?? definition.manifestEntry
        fields["key"] = .string(key.text)
        return fields
    }

}

extension DefinitionEdit {
    package var fields: FlagValue {
        let definition = entry ?? definition.manifestEntry
        return .dictionary([
            entry == nil ? "definition" : "entry": .dictionary(definition), "breaksValues": .bool(breaksValues),
        ])
    }

    package init?(fields: FlagValue) {
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
                problems[name] = error.advice
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

    /// Converts a field's JSON: in the default and the suggestions, text that encodes data becomes data.
    private static func stored(
        _ json: JSONValue, as field: ManifestField?, of flag: FlagDefinition?
    ) throws(FlagValueError) -> FlagValue {
        let data = flag.flatMap { $0.type.rules.kinds.contains("data") ? $0 : nil }
        switch (field?.shape, json) {
        case (.value, _):
            if let data { return try data.parse(json: json) }
        case (.values, .array(let items)):
            guard let data else { break }
            var values: [FlagValue] = []
            for item in items { values.append(try data.parse(json: item)) }
            return .array(values)
        default: break
        }
        guard let value = json.stored else {
            throw FlagValueError("can't store \(json.briefDescription) in a property list")
        }
        return value
    }
}
