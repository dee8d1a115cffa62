import FeatureFlags
import FeatureFlagsXML

/// A values file, where a defined key holds one value, and any other dictionary is a group.
struct ValueTree {
    enum Place {
        case value(FlagValue, isDefined: Bool)
        /// A group, possibly empty.
        case group
    }

    private let contents: ProviderContents
    private let isDefined: (FlagKeyPath) -> Bool

    init(_ contents: ProviderContents, isDefined: @escaping (FlagKeyPath) -> Bool) {
        self.contents = contents
        self.isDefined = isDefined
    }

    var values: [FlagKeyPath: FlagValue] {
        var values: [FlagKeyPath: FlagValue] = [:]
        forEach { key, place in
            if case .value(let value, _) = place { values[key] = value }
        }
        return values
    }

    func forEach(_ body: (FlagKeyPath, Place) -> Void) {
        contents.forEachEntry { visit($0, $1, body) }
    }

    func forEach(at key: FlagKeyPath, _ body: (FlagKeyPath, Place) -> Void) {
        guard !key.ancestors.contains(where: isDefined) else { return }
        contents.forEachEntry(at: key) { visit($0, $1, body) }
    }

    private func visit(_ key: FlagKeyPath, _ value: FlagValue?, _ body: (FlagKeyPath, Place) -> Void) -> Bool {
        let isDefined = isDefined(key)
        if let value {
            body(key, .value(value, isDefined: isDefined))
        } else if isDefined {
            if let value = contents.value(of: key) { body(key, .value(value, isDefined: true)) }
        } else {
            body(key, .group)
            return true
        }
        return false
    }
}
