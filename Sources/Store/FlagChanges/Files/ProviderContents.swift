import FeatureFlags
import FeatureFlagsXML

/// Current or former content of a values file.
enum ProviderContents: Sendable {
    case file(PropertyListDocument)
    /// Reconstructed from the history, not from a file.
    case tree(FlagValue)

    /// Visits entries in no particular order.
    ///
    /// `visit` receives `nil` for a dictionary, and returns true to enter it.
    func forEachEntry(_ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        switch self {
        case .file(let document): document.forEachEntry(visit)
        case .tree(let root): Self.forEachEntry(of: root, below: [], visit)
        }
    }

    /// Visits an entry, with its key path as spelt in the file, and its contents.
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

    func value(of key: FlagKeyPath) -> FlagValue? {
        switch self {
        case .file(let document): document.value(of: key.components.map(PathStep.key))
        case .tree(let root):
            key.components.reduce(.some(root)) { value, component in
                if case .dictionary(let entries)? = value { entries[component] } else { nil }
            }
        }
    }

    /// Returns a value; throws for a group, whose contents may be hidden.
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

    func document() throws(PropertyListError) -> PropertyListDocument {
        switch self {
        case .file(let document): document
        case .tree(let root): try PropertyListDocument(root: root)
        }
    }
}
