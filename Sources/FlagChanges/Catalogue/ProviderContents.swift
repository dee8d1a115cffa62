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
    ///
    /// - Throws: Where a property list can't store them.
    func document() throws(PropertyListError) -> PropertyListDocument {
        switch self {
        case .file(let document): document
        case .tree(let root): try PropertyListDocument(root: root)
        }
    }
}
