import FeatureFlags
import FeatureFlagsXML

/// What a values file says by flag.
///
/// At a definition's key stands one value, whatever it is; elsewhere a dictionary is a group, and anything else a value.
struct ValueTree {
    /// What there is at a key path.
    enum Place {
        /// The value of a flag, which a definition stands for or not.
        case value(FlagValue, isDefined: Bool)
        /// A group, empty or not.
        case group
    }

    private let contents: ProviderContents
    private let isDefined: (FlagKeyPath) -> Bool

    /// - Parameters:
    ///   - contents: The values.
    ///   - isDefined: Whether one value stands at a key path.
    init(_ contents: ProviderContents, isDefined: @escaping (FlagKeyPath) -> Bool) {
        self.contents = contents
        self.isDefined = isDefined
    }

    /// The values by flag.
    var values: [FlagKeyPath: FlagValue] {
        var values: [FlagKeyPath: FlagValue] = [:]
        forEach { key, place in
            if case .value(let value, _) = place { values[key] = value }
        }
        return values
    }

    /// Goes through all flags and groups, in no order.
    func forEach(_ body: (FlagKeyPath, Place) -> Void) {
        contents.forEachEntry { visit($0, $1, body) }
    }

    /// Goes through what there is at a key path and inside it; nothing where a flag stands for all of it, or there is nothing.
    func forEach(at key: FlagKeyPath, _ body: (FlagKeyPath, Place) -> Void) {
        guard !key.ancestors.contains(where: isDefined) else { return }
        contents.forEachEntry(at: key) { visit($0, $1, body) }
    }

    /// Tells what there is at a key path.
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
