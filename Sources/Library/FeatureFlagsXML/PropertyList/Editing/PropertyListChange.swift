import FeatureFlags

/// What is to become of an entry of a dictionary or an element of an array.
struct PropertyListChange {
    enum Kind {
        /// It holds a value as a property list stores it, whether it was there before or not; for entries alone.
        case set(FlagValue)
        case remove
        /// An element of an array comes in its place, and moves it and those behind it by one.
        case insert(FlagValue)
    }

    /// The steps from the root down to it.
    let path: [PathStep]
    let kind: Kind

    var isRemoval: Bool {
        if case .remove = kind { true } else { false }
    }
}

extension FlagValue {
    /// Makes a change in this value; dictionaries that are missing on the way are made when setting.
    ///
    /// Each value on the way is changed in place, so that many changes don't copy a large dictionary as often.
    ///
    /// - Parameters:
    ///   - kind: What becomes of it.
    ///   - path: The steps from this value down to it.
    mutating func make(_ kind: PropertyListChange.Kind, at path: ArraySlice<PathStep>) {
        guard let step = path.first else { return }
        let rest = path.dropFirst()
        switch step {
        case .key(let name):
            guard case .dictionary(var entries) = self else { return }
            self = .bool(false)
            Self.make(kind, of: name, rest, in: &entries)
            self = .dictionary(entries)
        case .index(let index):
            guard case .array(var elements) = self else { return }
            self = .bool(false)
            Self.make(kind, of: index, rest, in: &elements)
            self = .array(elements)
        }
    }

    private static func make(
        _ kind: PropertyListChange.Kind, of name: String, _ rest: ArraySlice<PathStep>,
        in entries: inout [String: FlagValue]
    ) {
        switch kind {
        case .set(let value) where rest.isEmpty: entries[name] = value
        case .remove where rest.isEmpty: entries[name] = nil
        case .set:
            var child = entries.removeValue(forKey: name) ?? .dictionary([:])
            child.make(kind, at: rest)
            entries[name] = child
        case .remove, .insert:
            guard var child = entries.removeValue(forKey: name) else { return }
            child.make(kind, at: rest)
            entries[name] = child
        }
    }

    private static func make(
        _ kind: PropertyListChange.Kind, of index: Int, _ rest: ArraySlice<PathStep>, in elements: inout [FlagValue]
    ) {
        switch kind {
        case .insert(let value) where rest.isEmpty && index <= elements.count: elements.insert(value, at: index)
        case .remove where rest.isEmpty && elements.indices.contains(index): elements.remove(at: index)
        case _ where elements.indices.contains(index): elements[index].make(kind, at: rest)
        default: break
        }
    }
}
