import FeatureFlags
import FeatureFlagsXML

/// What a values file holds, or once held.
enum ProviderContents: Sendable {
    /// What a file says.
    case file(PropertyListDocument)
    /// What was worked out from the history; no file says it so.
    case tree(FlagValue)

    /// The dictionary of all values.
    var root: FlagValue {
        switch self {
        case .file(let document): document.root
        case .tree(let root): root
        }
    }

    /// Goes through the entries of dictionaries, in no order.
    ///
    /// - Parameter visit: Is given each entry's key path, and its value where that is no dictionary; says of a dictionary
    ///   whether to go into it.
    func forEachEntry(_ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        switch self {
        case .file(let document): document.forEachEntry(visit)
        case .tree(let root): Self.forEachEntry(of: root, below: [], visit)
        }
    }

    /// Goes through the entry at a key path and those in it; through none where there is none.
    ///
    /// - Parameter key: The key path; `visit` gets it as it is spelt there.
    func forEachEntry(at key: FlagKeyPath, _ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        switch self {
        case .file(let document): document.forEachEntry(at: key, visit)
        case .tree(let root):
            var (value, path): (FlagValue, [String]) = (root, [])
            for component in key.components {
                guard case .dictionary(let entries) = value, let place = entries.index(forKey: component) else {
                    return
                }
                value = entries[place].value
                path.append(entries[place].key)
            }
            Self.visit(FlagKeyPath(components: path), value, visit)
        }
    }

    private static func forEachEntry(
        of value: FlagValue, below path: [String], _ visit: (FlagKeyPath, FlagValue?) -> Bool
    ) {
        guard case .dictionary(let entries) = value else { return }
        for (name, inner) in entries { Self.visit(FlagKeyPath(components: path + [name]), inner, visit) }
    }

    private static func visit(
        _ key: FlagKeyPath, _ value: FlagValue, _ visit: (FlagKeyPath, FlagValue?) -> Bool
    ) {
        guard case .dictionary = value else {
            _ = visit(key, value)
            return
        }
        if visit(key, nil) { forEachEntry(of: value, below: key.components, visit) }
    }

    /// The value at a key path, whatever it is; `nil` where there is none.
    func value(of key: FlagKeyPath) -> FlagValue? {
        switch self {
        case .file(let document): document.value(of: key.components.map(PathStep.key))
        case .tree(let root):
            key.components.reduce(.some(root)) { value, component in
                if case .dictionary(let entries)? = value { entries[component] } else { nil }
            }
        }
    }

    /// The value of a flag, which a group is not: what is in it can't be told, so it is neither shown nor replaced.
    func value(at key: FlagKeyPath, dictionaryKeys: Set<FlagKeyPath>) throws(FlagValueError) -> FlagValue? {
        let root: FlagValue
        switch self {
        case .file(let document): return try document.value(at: key, dictionaryKeys: dictionaryKeys)
        case .tree(let tree): root = tree
        }
        let value: FlagValue?
        do throws(BlockedPathError) {
            value = try root.value(at: key)
        } catch {
            throw FlagValueError("\(error.text), not a <dict>, so \(key.text) can't be read")
        }
        if case .dictionary = value, !dictionaryKeys.contains(key) {
            throw FlagValueError("\(key) is a group, not one value")
        }
        return value
    }

    /// The values as a file: as it stands, or as it would be written.
    func document() throws(PropertyListError) -> PropertyListDocument {
        switch self {
        case .file(let document): document
        case .tree(let root): try PropertyListDocument(root: root)
        }
    }
}
