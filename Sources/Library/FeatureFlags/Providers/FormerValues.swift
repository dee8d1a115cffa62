/// The values that others replaced, by key path: one of them may be the last good one of a flag.
///
/// A value that is removed leaves none, since that is done on purpose. What a store does not hold any more costs memory, so the values
/// of one key path are few, and a Boolean that another replaces is not among them: neither is more a Boolean than the other.
struct FormerValues: Hashable, Sendable {
    /// So many values of one key path are kept.
    private static let most = 8

    /// The newest first.
    private var values: [FlagKeyPath: [FlagValue]] = [:]

    /// These and what a change replaces.
    ///
    /// - Parameters:
    ///   - keys: The key paths that the change is told at.
    ///   - old: What there was before it.
    ///   - new: What there is after it.
    /// - Returns: All of them, less those at key paths that hold nothing on one side.
    func noting(_ keys: [FlagKeyPath], from old: FlagValue, to new: FlagValue) -> FormerValues {
        var noted = self
        for key in keys { noted.note(key, from: old.place(at: key), to: new.place(at: key)) }
        return noted
    }

    private mutating func note(_ key: FlagKeyPath, from old: FlagValue.Place, to new: FlagValue.Place) {
        switch (old, new) {
        case (.nothing, _), (_, .nothing): if values[key] != nil { values[key] = nil }
        case (.blocked, _): break
        case (.value(let value), .blocked): keep(value, at: key)
        case (.value(let value), .value(let next)):
            if case (.bool, .bool) = (value, next) { return }
            if value != next { keep(value, at: key) }
        }
    }

    private mutating func keep(_ value: FlagValue, at key: FlagKeyPath) {
        let others = (values[key] ?? []).filter { $0 != value }
        values[key] = Array(([value] + others).prefix(Self.most))
    }

    /// What a flag's value replaced.
    ///
    /// - Parameters:
    ///   - key: The flag's key path.
    ///   - tree: What there is now.
    /// - Returns: The values, newest first: those of the key path, those of it within what stood above it, and the value of now with
    ///   what its own entries replaced.
    func values(at key: FlagKeyPath, in tree: FlagValue) -> [FlagValue] {
        guard !values.isEmpty else { return [] }
        var found = values[key] ?? []
        for depth in key.components.indices.dropFirst() {
            let rest = FlagKeyPath(components: Array(key.components[depth...]))
            for whole in values[FlagKeyPath(components: Array(key.components[..<depth]))] ?? [] {
                if case .value(let value) = whole.place(at: rest) { found.append(value) }
            }
        }
        if case .value(.dictionary) = tree.place(at: key) {
            let inner = values.filter { $0.key != key && $0.key.isInside(key) }
            let mended = inner.sorted { $0.key < $1.key }.reduce(tree) { tree, entry in
                entry.value.first.map { tree.setting($0, at: entry.key.components[...]) } ?? tree
            }
            if !inner.isEmpty, case .value(let value) = mended.place(at: key) { found.append(value) }
        }
        return found
    }
}

extension FlagValue {
    /// What a key path leads to.
    fileprivate enum Place {
        case nothing
        case value(FlagValue)
        /// A value above it that has no parts.
        case blocked
    }

    fileprivate func place(at key: FlagKeyPath) -> Place {
        do throws(BlockedPathError) {
            return try element(at: key).map(Place.value) ?? .nothing
        } catch {
            return .blocked
        }
    }
}
