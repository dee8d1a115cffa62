/// The replaced values by key path, among them the last good values of flags.
///
/// A removed value is dropped, as removal is deliberate. To save memory, each key path has few values, and a Boolean
/// replaced by a Boolean is not kept: both are equally valid.
struct FormerValues: Hashable, Sendable {
    /// The most values per key path.
    private static let most = 8

    /// The newest first.
    private var values: [FlagKeyPath: [FlagValue]] = [:]

    /// Returns these values and those that a change replaces; key paths without an old or new value are dropped.
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

    /// Returns the values that a flag's value replaced, newest first.
    ///
    /// They are the former values at the key path, those within former values above it, and the current value with the
    /// former values of its entries.
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
    fileprivate enum Place {
        case nothing
        case value(FlagValue)
        /// A value above the key path has no parts.
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
