import FeatureFlags

struct ManifestEntries {
    private(set) var keys: [String] = []
    private var fields: [String: [String: FlagValue]] = [:]

    /// Reads an array; `nil` unless each element is a dictionary with a distinct key.
    init?(_ array: FlagValue?) {
        guard let array else { return }
        guard case .array(let elements) = array else { return nil }
        for element in elements {
            guard case .dictionary(let entry) = element, case .string(let key)? = entry["key"], fields[key] == nil
            else { return nil }
            keys.append(key)
            fields[key] = entry
        }
    }

    subscript(key: String) -> [String: FlagValue]? { fields[key] }
}

extension FlagValue {
    var isManifest: Bool {
        guard case .dictionary(let root) = self, case .integer? = root["version"], case .array? = root["flags"] else {
            return false
        }
        return true
    }
}

extension PropertyListDocument {
    /// The values of flags or of fields of definitions, in the order of the places.
    ///
    /// An empty group counts as a value, and so does a manifest's array if its entries have no distinct keys.
    package var statements: [(place: FlagPlace, value: FlagValue)] {
        var statements: [(place: FlagPlace, value: FlagValue)] = []
        guard case .dictionary(var entries) = root else {
            return [(FlagPlace(value: FlagKeyPath(components: [""])), root)]
        }
        if root.isManifest {
            for kind in FlagPlace.Kind.allCases {
                guard let name = kind.array, let array = entries[name], let list = ManifestEntries(array) else {
                    continue
                }
                entries[name] = list.keys.isEmpty ? array : nil
                for key in list.keys {
                    for (field, value) in list[key] ?? [:] where field != "key" {
                        statements.append((FlagPlace(entry: key, of: kind, field: field), value))
                    }
                }
            }
        }
        Self.state(entries, below: [], into: &statements)
        return statements.sorted { $0.place < $1.place }
    }

    /// Returns the ``statements`` about a flag or the flags of a group, reading nothing else of a values file.
    package func statements(inside key: FlagKeyPath) -> [(place: FlagPlace, value: FlagValue)] {
        if case .integer? = tree.entry("version")?.node.value, tree.entry("flags")?.node.items != nil {
            return statements.filter { $0.place.key.isInside(key) }
        }
        guard let value = value(of: key.components.map(PathStep.key)) else { return [] }
        guard case .dictionary(let entries) = value, !entries.isEmpty else { return [(FlagPlace(value: key), value)] }
        var statements: [(place: FlagPlace, value: FlagValue)] = []
        Self.state(entries, below: key.components, into: &statements)
        return statements.sorted { $0.place < $1.place }
    }

    private static func state(
        _ entries: [String: FlagValue], below path: [String],
        into statements: inout [(place: FlagPlace, value: FlagValue)]
    ) {
        for (name, value) in entries {
            if case .dictionary(let inner) = value, !inner.isEmpty {
                state(inner, below: path + [name], into: &statements)
            } else {
                statements.append((FlagPlace(value: FlagKeyPath(components: path + [name])), value))
            }
        }
    }

    /// Returns the steps to a place, or `nil` if a manifest's array has no such entry.
    func path(of place: FlagPlace) -> [PathStep]? {
        guard let name = place.kind.array else { return place.key.components.map(PathStep.key) }
        guard let items = node(at: [.key(name)])?.items else { return nil }
        let index = items.firstIndex { item in
            guard case .string(let text)? = item.entry("key")?.node.value else { return false }
            return FlagPlace(entry: text, of: place.kind).key == place.key
        }
        return index.map { [.key(name), .index($0)] + (place.field.map { [.key($0)] } ?? []) }
    }
}
