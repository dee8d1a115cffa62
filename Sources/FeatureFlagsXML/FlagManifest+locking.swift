import FeatureFlags

extension FlagManifest {
    /// The manifest with a flag locked or unlocked: only the bytes of the lock change.
    ///
    /// - Parameters:
    ///   - isLocked: Whether the flag is to be locked. An unlocked one has no entry `isLocked`, as one that never was.
    ///   - key: The flag.
    /// - Returns: The changed manifest, or this one where the flag is so already, or is not defined here.
    /// - Throws: Where the edit turns out to change more than was asked.
    package func settingLock(_ isLocked: Bool, of key: FlagKeyPath) throws(PropertyListEditError) -> FlagManifest {
        guard let place = index.places[key],
            definitions[place].metadata.isLocked != isLocked
        else { return self }
        let edited = try document.setting(
            [([.key("flags"), .index(place)], ["isLocked": isLocked ? .bool(true) : nil])], for: key)
        do {
            return try FlagManifest(document: edited)
        } catch {
            throw PropertyListEditError(.unsafe(error.description), key: key)
        }
    }
}
