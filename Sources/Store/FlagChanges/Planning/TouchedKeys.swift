import FeatureFlags

/// Key paths, to find out whether one of them is at, around or inside another.
struct TouchedKeys {
    private var keys: Set<FlagKeyPath> = []
    private var groups: Set<FlagKeyPath> = []

    mutating func insert(_ key: FlagKeyPath) {
        keys.insert(key)
        groups.formUnion(key.ancestors)
    }

    /// Whether one of them is at, around or inside a key path.
    func touches(_ key: FlagKeyPath) -> Bool {
        keys.contains(key) || groups.contains(key) || key.ancestors.contains(where: keys.contains)
    }
}
