import FeatureFlags
import Foundation

extension FlagManifest {
    /// Makes a manifest of definitions.
    ///
    /// - Parameters:
    ///   - definitions: The flags, in the order to write.
    ///   - collections: The groups, in the order to write.
    ///   - existing: A manifest whose other flags, groups and entries are kept, and so is of each flag and group what the
    ///     new definition leaves at its default: an owner or a lock that somebody added stays.
    /// - Throws: ``FlagManifestError`` that names each definition that can't be, such as two of one key.
    public init(
        definitions: [FlagDefinition], collections: [FlagCollectionDefinition] = [],
        updating existing: FlagManifest? = nil
    ) throws(FlagManifestError) {
        var root: [String: FlagValue] = [:]
        if case .dictionary(let entries) = existing?.document.root { root = entries }
        let before = root
        root["version"] = .integer(1)
        root["flags"] = Self.merged(root["flags"], definitions.map(\.manifestEntry))
        let groups = Self.merged(root["collections"], collections.map(\.manifestEntry))
        if root["collections"] != nil || groups != .array([]) { root["collections"] = groups }
        if let existing, root == before {
            self = existing
            return
        }
        let document: PropertyListDocument
        do {
            document = try PropertyListDocument(root: .dictionary(root))
        } catch {
            throw FlagManifestError(error)
        }
        try self.init(source: document.source)
    }

    /// The entries of an array, each overlaid with the new one of its key, and then the new ones of other keys.
    private static func merged(_ existing: FlagValue?, _ new: [[String: FlagValue]]) -> FlagValue {
        guard case .array(let values) = existing else { return .array(new.map(FlagValue.dictionary)) }
        var rest = new
        let kept = values.map { value -> FlagValue in
            guard case .dictionary(let fields) = value,
                let index = rest.firstIndex(where: { $0["key"] == fields["key"] })
            else { return value }
            return .dictionary(fields.merging(rest.remove(at: index)) { $1 })
        }
        return .array(kept + rest.map(FlagValue.dictionary))
    }
}

extension FlagDefinition {
    /// The fields of the flag's entry in a manifest, without those at their default.
    var manifestEntry: [String: FlagValue] {
        var fields: [String: FlagValue] = ["key": .string(key.text), "type": .string(type.rawValue)]
        fields["default"] = defaultValue
        fields["name"] = metadata.name.map(FlagValue.string)
        if !metadata.description.isEmpty { fields["description"] = .string(metadata.description) }
        fields["order"] = metadata.order.map { .integer(Int128($0)) }
        for (field, isSet) in [
            ("isLocked", metadata.isLocked), ("isInternal", metadata.isInternal),
            ("requiresRestart", metadata.requiresRestart),
        ] where isSet {
            fields[field] = .bool(true)
        }
        fields["icon"] = metadata.uiIcon.map(FlagValue.string)
        if !metadata.tags.isEmpty { fields["tags"] = .array(metadata.tags.map(FlagValue.string)) }
        fields["owner"] = metadata.owner.map(FlagValue.string)
        fields["expires"] = metadata.expires.map(FlagValue.date)
        if !constraints.choices.isEmpty { fields["choices"] = .array(constraints.choices) }
        fields["minimum"] = constraints.minimum.map(FlagValue.double)
        fields["maximum"] = constraints.maximum.map(FlagValue.double)
        fields["pattern"] = constraints.pattern.map(FlagValue.string)
        return fields
    }
}

extension FlagCollectionDefinition {
    /// The fields of the group's entry in a manifest, without those at their default.
    var manifestEntry: [String: FlagValue] {
        var fields: [String: FlagValue] = ["key": .string(key.text)]
        fields["name"] = name.map(FlagValue.string)
        if !description.isEmpty { fields["description"] = .string(description) }
        fields["order"] = order.map { .integer(Int128($0)) }
        return fields
    }
}
