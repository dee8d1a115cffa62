import FeatureFlags

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

    private let root: FlagValue
    private let isDefined: (FlagKeyPath) -> Bool

    /// - Parameters:
    ///   - root: The root dictionary of values.
    ///   - isDefined: Whether one value stands at a key path.
    init(_ root: FlagValue, isDefined: @escaping (FlagKeyPath) -> Bool) {
        self.root = root
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
        if case .dictionary(let entries) = root { forEach(in: entries, below: [], body) }
    }

    /// Goes through what there is at a key path and inside it; nothing where a flag stands for all of it, or there is nothing.
    func forEach(at key: FlagKeyPath, _ body: (FlagKeyPath, Place) -> Void) {
        var (value, path): (FlagValue, [String]) = (root, [])
        for component in key.components {
            guard case .dictionary(let entries) = value, let place = entries.index(forKey: component),
                path.isEmpty || !isDefined(FlagKeyPath(components: path))
            else { return }
            value = entries[place].value
            path.append(entries[place].key)
        }
        visit(FlagKeyPath(components: path), value, body)
    }

    private func forEach(
        in entries: [String: FlagValue], below path: [String], _ body: (FlagKeyPath, Place) -> Void
    ) {
        for (name, value) in entries { visit(FlagKeyPath(components: path + [name]), value, body) }
    }

    private func visit(_ key: FlagKeyPath, _ value: FlagValue, _ body: (FlagKeyPath, Place) -> Void) {
        let isDefined = isDefined(key)
        if case .dictionary(let inner) = value, !isDefined {
            body(key, .group)
            forEach(in: inner, below: key.components, body)
        } else {
            body(key, .value(value, isDefined: isDefined))
        }
    }
}
