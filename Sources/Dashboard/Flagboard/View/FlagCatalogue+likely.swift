import FeatureFlags
import FeatureFlagsXML
import FlagChanges

extension FlagCatalogue {
    /// The most bytes by which a mistyped key path is longer or shorter than the one that was meant.
    private static let slips = 4

    /// The flag that was likely meant by a key path that no flag has: mistyped, or written without its group.
    ///
    /// - Returns: One of the flags that may be seen; `nil` where none is like it.
    func likely(_ key: FlagKeyPath) -> FlagKeyPath? {
        let (text, name) = (key.text, key.leaf)
        var (near, siblings): (Set<String>, [String: FlagKeyPath]) = ([], [:])
        var sameName: [FlagKeyPath] = []
        for entry in entries {
            let other = entry.key.text
            if abs(other.utf8.count - text.utf8.count) <= Self.slips { near.insert(other) }
            if entry.key.components.dropLast() == key.components.dropLast() { siblings[entry.key.leaf] = entry.key }
            if entry.key.leaf == name { sameName.append(entry.key) }
        }
        if let likely = LikelyName(text).nearest(in: near) { return FlagKeyPath(text: likely) }
        if let likely = LikelyName(name).nearest(in: Set(siblings.keys)) { return siblings[likely] }
        return sameName.count == 1 ? sameName[0] : nil
    }
}
