import FeatureFlags

/// Where flags come to stand that are added to a manifest together: each where it would if they were added one by one.
struct AddedFlags {
    /// The flags that stand behind those of the manifest, by the place of each of these; all by their places among the added ones.
    let runs: [(place: Int, added: [Int])]

    /// Finds their places.
    ///
    /// - Parameters:
    ///   - keys: The flags, in the order in which they are added.
    ///   - index: The flags that the manifest has; it has at least one.
    ///   - count: How many these are.
    init(_ keys: [FlagKeyPath], to index: FlagManifestIndex, of count: Int) {
        // Flags are named by their places, and those that are added by numbers behind them.
        var lastOfGroup: [FlagKeyPath: Int] = [:]
        var next: [Int: Int] = [:]
        var last = count - 1
        func lastMember(of group: FlagKeyPath) -> Int? { lastOfGroup[group] ?? index.members[group]?.last }
        for (added, key) in keys.enumerated() {
            let flag = count + added
            let groups = key.ancestors
            let neighbour = groups.reversed().lazy.compactMap(lastMember).first ?? last
            next[flag] = next[neighbour]
            next[neighbour] = flag
            for group in groups where lastMember(of: group) ?? neighbour == neighbour { lastOfGroup[group] = flag }
            if neighbour == last { last = flag }
        }
        runs = next.keys.filter { $0 < count }.sorted().map { place in
            (place, Array(sequence(first: place) { next[$0] }.dropFirst().map { $0 - count }))
        }
    }
}
