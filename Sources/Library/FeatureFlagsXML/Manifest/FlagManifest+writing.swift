import FeatureFlags
import Foundation

extension FlagManifest {
    /// Creates a manifest from definitions.
    ///
    /// - Parameters:
    ///   - definitions: The flags, in the order to write.
    ///   - collections: The groups, in the order to write.
    ///   - existing: A manifest to update. Its other flags, groups and entries stay, each behind its former
    ///     predecessor. A field stays if the new definition leaves it at its default, such as an owner or a lock that a
    ///     person added. A flag's type, default and choices are replaced or removed. A person's limits and pattern stay
    ///     if the type is the same, the definition has none, and they allow its default and suggestions. Suggestions
    ///     stay if they are allowed. A flag whose key is now a group's path is left out.
    /// - Throws: A ``FlagManifestError`` that names each invalid definition, such as one of two with the same key.
    public init(
        definitions: [FlagDefinition], collections: [FlagCollectionDefinition] = [],
        updating existing: FlagManifest? = nil
    ) throws(FlagManifestError) {
        var root: [String: FlagValue] = [:]
        if case .dictionary(let entries) = existing?.document.root { root = entries }
        let before = root
        root["version"] = .integer(1)
        root["flags"] = Self.merged(Self.unobstructive(root["flags"], definitions), definitions.map(\.manifestEntry)) {
            FlagDefinition.kept($0, below: $1, of: definitions)
        }
        let groups = Self.merged(root["collections"], collections.map(\.manifestEntry)) { kept, _ in kept }
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

    /// Overlays each entry with the new one of its key, in the new order; each other entry stays behind its
    /// predecessor.
    private static func merged(
        _ existing: FlagValue?, _ new: [[String: FlagValue]],
        kept: (_ fields: [String: FlagValue], _ new: [String: FlagValue]) -> [String: FlagValue]
    ) -> FlagValue {
        guard case .array(let values) = existing else { return .array(new.map(FlagValue.dictionary)) }
        let places = Dictionary(
            new.enumerated().map { ($1["key"], $0) }, uniquingKeysWith: { first, _ in first })
        var overlaid = new
        var (first, following): ([FlagValue], [Int: [FlagValue]]) = ([], [:])
        var last: Int?
        for value in values {
            if case .dictionary(let fields) = value, let place = places[fields["key"]] {
                overlaid[place] = kept(fields, new[place]).merging(new[place]) { $1 }
                last = place
            } else if let last {
                following[last, default: []].append(value)
            } else {
                first.append(value)
            }
        }
        return .array(first + overlaid.enumerated().flatMap { [.dictionary($1)] + (following[$0] ?? []) })
    }

    private static func unobstructive(_ existing: FlagValue?, _ definitions: [FlagDefinition]) -> FlagValue? {
        guard case .array(let values) = existing else { return existing }
        let keys = Set(definitions.map(\.key))
        let groups = Set(definitions.flatMap(\.key.ancestors))
        return .array(
            values.filter { value in
                guard case .dictionary(let fields) = value, case .string(let text) = fields["key"],
                    let key = FlagKeyPath(text: text)
                else { return true }
                return keys.contains(key) || !(groups.contains(key) || key.ancestors.contains(where: keys.contains))
            })
    }
}

extension FlagDefinition {
    /// Returns the fields of an entry that survive under a new one: those that the code doesn't define.
    fileprivate static func kept(
        _ fields: [String: FlagValue], below entry: [String: FlagValue], of definitions: [FlagDefinition]
    ) -> [String: FlagValue] {
        let limits: Set = ["minimum", "maximum", "pattern"]
        let ofCode: Set = [
            "default", "choices", "format", "items", "properties", "isOptional", "computed", "excludedProviders",
            "group",
        ]
        var kept = fields.filter { !ofCode.contains($0.key) }
        guard fields["type"] == entry["type"],
            let definition = definitions.first(where: { .string($0.key.text) == entry["key"] })
        else { return kept.filter { !limits.union(["suggestions", "storage"]).contains($0.key) } }
        let own = [definition.defaultValue].compactMap(\.self) + definition.suggestions
        if !limits.isDisjoint(with: entry.keys) || !definition.limited(by: fields).allows(own) {
            kept = kept.filter { !limits.contains($0.key) }
        }
        if case .array(let values) = kept["suggestions"],
            !definition.limited(by: kept.merging(entry) { $1 }).allows(values)
        {
            kept["suggestions"] = nil
        }
        return kept
    }

    private func limited(by fields: [String: FlagValue]) -> FlagDefinition {
        var limited = self
        limited.constraints.minimum = fields["minimum"]?.limit
        limited.constraints.maximum = fields["maximum"]?.limit
        if case .string(let pattern) = fields["pattern"] { limited.constraints.pattern = pattern }
        return limited
    }

    private func allows(_ values: [FlagValue]) -> Bool {
        values.allSatisfy { value in
            if case .success = Result(catching: { try interpret(value) }) { true } else { false }
        }
    }
}

extension FlagValue {
    fileprivate var limit: FlagLimit? {
        switch self {
        case .integer(let number): FlagLimit(number)
        case .double(let number): FlagLimit(number)
        default: nil
        }
    }
}

extension FlagDefinition {
    package var manifestEntry: [String: FlagValue] {
        var fields: [String: FlagValue] = ["key": .string(key.text), "type": .string(type.rawValue)]
        fields["default"] = defaultValue
        fields["storage"] = (storage?.rawValue).map(FlagValue.string)
        if !suggestions.isEmpty { fields["suggestions"] = .array(suggestions) }
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
        fields["retired"] = metadata.retired.map(FlagValue.string)
        if !metadata.userInfo.isEmpty { fields["userInfo"] = .dictionary(metadata.userInfo) }
        fields["computed"] = (computed?.rawValue).map(FlagValue.string)
        if !excludedProviders.isEmpty {
            fields["excludedProviders"] = .array(excludedProviders.map(FlagValue.string))
        }
        fields["group"] = (group?.text).map(FlagValue.string)
        fields.merge(schema.manifestEntry) { own, _ in own }
        return fields
    }
}

extension FlagSchema {
    /// The fields of an entry, or of a schema in it.
    package var manifestEntry: [String: FlagValue] {
        var fields: [String: FlagValue] = [:]
        fields["type"] = (type?.rawValue).map(FlagValue.string)
        if isOptional { fields["isOptional"] = .bool(true) }
        if !constraints.choices.isEmpty { fields["choices"] = .array(constraints.choices) }
        fields["minimum"] = constraints.minimum?.value
        fields["maximum"] = constraints.maximum?.value
        fields["pattern"] = constraints.pattern.map(FlagValue.string)
        fields["format"] = (constraints.format?.rawValue).map(FlagValue.string)
        fields["items"] = (constraints.items?.manifestEntry).map(FlagValue.dictionary)
        if !constraints.properties.isEmpty {
            fields["properties"] = constraints.properties.manifestEntry
        }
        return fields
    }
}

extension [String: FlagSchema] {
    package var manifestEntry: FlagValue { .dictionary(mapValues { .dictionary($0.manifestEntry) }) }
}

extension FlagCollectionDefinition {
    var manifestEntry: [String: FlagValue] {
        var fields: [String: FlagValue] = ["key": .string(key.text)]
        fields["name"] = name.map(FlagValue.string)
        if !description.isEmpty { fields["description"] = .string(description) }
        fields["order"] = order.map { .integer(Int128($0)) }
        fields["icon"] = icon.map(FlagValue.string)
        if isSection { fields["isSection"] = .bool(true) }
        return fields
    }
}
