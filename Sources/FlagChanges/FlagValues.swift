import FeatureFlags

/// What a values file says by flag.
///
/// At a definition's key stands one value, whatever it is; elsewhere a dictionary is a group, and anything else a value.
struct FlagValues {
    /// The values by flag.
    private(set) var values: [FlagKeyPath: FlagValue] = [:]
    /// The groups, be they empty.
    private(set) var groups: Set<FlagKeyPath> = []

    /// - Parameters:
    ///   - root: The root dictionary of values.
    ///   - definedKeys: The keys at which one value stands.
    init(_ root: FlagValue, definedKeys: Set<FlagKeyPath>) {
        if case .dictionary(let entries) = root { add(entries, below: [], definedKeys) }
    }

    private mutating func add(_ entries: [String: FlagValue], below path: [String], _ definedKeys: Set<FlagKeyPath>) {
        for (name, value) in entries {
            let key = FlagKeyPath(components: path + [name])
            if case .dictionary(let inner) = value, !definedKeys.contains(key) {
                groups.insert(key)
                add(inner, below: key.components, definedKeys)
            } else {
                values[key] = value
            }
        }
    }
}
