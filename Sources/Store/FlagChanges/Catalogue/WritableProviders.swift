import FeatureFlags

/// The names of the providers in which each flag can be changed, in order of precedence.
struct WritableProviders {
    private let names: [String]
    /// The flags that are not read from one of these, by its name; only of those that have any.
    private let unread: [String: Set<FlagKeyPath>]

    /// - Parameter snapshots: The providers, in order of precedence.
    init(_ snapshots: [ValuesSnapshot]) {
        let writable = snapshots.filter(\.isWritable)
        names = writable.map(\.name)
        unread = Dictionary(
            writable.filter { !$0.unreadFlags.isEmpty }.map { ($0.name, $0.unreadFlags) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Those of a flag: one list for all flags, where all are read from each.
    subscript(key: FlagKeyPath) -> [String] {
        unread.isEmpty ? names : names.filter { unread[$0]?.contains(key) != true }
    }
}
