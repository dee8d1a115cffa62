import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory

/// What a filter leaves of a catalogue, and what each other choice of a criterion would leave, found in one pass; for a list that
/// nothing narrows, in none.
struct FoundFlags {
    /// The flags to list, in the catalogue's order.
    let entries: ListedFlags
    /// How many flags fail by one criterion alone: what dropping it would add.
    private(set) var missedBy: [FlagFilter.Misses: Int] = [:]
    private(set) var states: [FlagFilter.State: Int] = [:]
    private(set) var marks: [FlagFilter.Mark: Int] = [:]
    private(set) var types: [FlagType: Int] = [:]
    private(set) var tags: [String: Int] = [:]
    private(set) var owners: [String: Int] = [:]
    private(set) var providers: [String: Int] = [:]
    /// The groups directly inside the one that the list is narrowed to, in the catalogue's order.
    private(set) var groups: [(key: FlagKeyPath, count: Int)] = []

    init(_ filter: FlagFilter, in view: CatalogueView) {
        let (traits, all) = (view.traits, view.catalogue.entries)
        let tally = filter.hasCriteria ? FlagMatcher(filter, in: view).tally() : traits.all
        entries = ListedFlags(all, at: tally.found)
        for (bit, count) in tally.missed.enumerated() where count > 0 {
            missedBy[FlagFilter.Misses(rawValue: 1 << bit)] = count
        }
        for (state, count) in zip(FlagFilter.State.allCases, tally.states) where count > 0 { states[state] = count }
        for (type, count) in zip(FlagType.allCases, tally.types) where count > 0 { types[type] = count }
        for (source, count) in zip(traits.sources.values, tally.sources) where count > 0 { providers[source] = count }
        for (owner, count) in zip(traits.owners.values, tally.owners) where count > 0 { owners[owner] = count }
        for (list, count) in zip(traits.tagLists.values, tally.tagLists) where count > 0 {
            for tag in list { tags[tag, default: 0] += count }
        }
        for (mark, count) in zip(FlagFilter.Mark.allCases, tally.marks) where count > 0 { marks[mark] = count }
        addMarks(of: tally, traits, in: view)
        addGroups(of: tally, traits, inside: filter.group)
    }

    /// Counts the marks that depend on the time, or on which files can be read, too.
    private mutating func addMarks(of tally: FacetTally, _ traits: CatalogueTraits, in view: CatalogueView) {
        let entries = view.catalogue.entries
        for place in tally.doubtful {
            for mark in FlagFilter.Mark.allCases
            where !mark.followsFromFlag && !mark.isListed && mark.matches(entries[place], in: view) {
                marks[mark, default: 0] += 1
            }
        }
        for mark in FlagFilter.Mark.allCases where mark.isListed {
            let keys = view.listed(mark)
            // Most lists are empty or short, and a list that nothing narrows holds all of their flags that there are.
            guard !keys.isEmpty else { continue }
            let count =
                tally.found.count == entries.count
                ? keys.count { view.catalogue[$0] != nil } : tally.found.count { keys.contains(entries[$0].key) }
            if count > 0 { marks[mark] = count }
        }
        guard !view.unchanged.isEmpty else { return }
        func isUnchanged(_ place: Int) -> Bool { view.unchanged.index(forKey: entries[place].key) != nil }
        // Where all flags are listed, those that were not changed for long are counted already.
        let others =
            tally.found.count == entries.count
            ? view.unchanged.count - tally.doubtful.count(where: isUnchanged)
            : tally.found.count { !traits.flags[$0].isDoubtful && isUnchanged($0) }
        if others > 0 { marks[.stale, default: 0] += others }
    }

    private mutating func addGroups(of tally: FacetTally, _ traits: CatalogueTraits, inside group: FlagKeyPath?) {
        let depth = group?.components.count ?? 0
        var places: [String: Int] = [:]
        for number in tally.groupsInOrder {
            let components = traits.groups.values[number]
            guard components.count > depth else { continue }
            if let place = places[components[depth]] {
                groups[place].count += tally.groups[number]
            } else {
                places[components[depth]] = groups.count
                groups.append((FlagKeyPath(components: Array(components[...depth])), tally.groups[number]))
            }
        }
    }
}

/// Some flags of a catalogue, in an order, by their places in it: a list shows a page of them, and the others are not touched.
struct ListedFlags: RandomAccessCollection, Sendable {
    private let all: FlagEntries
    private let places: [Int]

    /// Lists flags.
    init(_ all: FlagEntries, at places: [Int]) {
        self.all = all
        self.places = places
    }

    var startIndex: Int { 0 }
    var endIndex: Int { places.count }

    subscript(position: Int) -> FlagEntry { all[places[position]] }

    /// Some of the flags, which stand together in the list.
    func part(_ range: Range<Int>) -> ListedFlags { ListedFlags(all, at: Array(places[range])) }

    /// The flags in another order.
    ///
    /// - Parameter lastChanges: The last change of each, where the order asks for it; flags that were never changed come last, and so do
    ///   those without an owner in the order of owners.
    func sorted(_ sort: FlagFilter.Sort, _ lastChanges: [FlagKeyPath: LastChange]) -> ListedFlags {
        let byKey = { (one: Int, other: Int) in all[one].key < all[other].key }
        return switch sort {
        case .order: self
        case .key: ListedFlags(all, at: places.sorted(by: byKey))
        case .keyFromEnd: ListedFlags(all, at: places.sorted { byKey($1, $0) })
        case .source, .sourceFromEnd: sorted(sort, by: { $0.resolution.source.words.lowercased() }, then: byKey)
        case .type, .typeFromEnd: sorted(sort, by: \.definition.type.rawValue, then: byKey)
        case .owner, .ownerFromEnd: sorted(sort, by: { $0.definition.metadata.owner?.lowercased() }, then: byKey)
        case .changed, .changedFromEnd: sorted(sort, by: { lastChanges[$0.key].map { -$0.id } }, then: <)
        }
    }

    /// The flags in the order of something that they have; those without it come last, from whichever end the others come.
    private func sorted<Rank: Comparable>(
        _ sort: FlagFilter.Sort, by rank: (FlagEntry) -> Rank?, then isBefore: (Int, Int) -> Bool
    ) -> ListedFlags {
        let ranked = places.map { (rank: rank(all[$0]), place: $0) }.sorted { one, other in
            guard one.rank != other.rank else { return isBefore(one.place, other.place) }
            guard let rank = one.rank, let otherRank = other.rank else { return other.rank == nil }
            return (rank < otherRank) != sort.isFromEnd
        }
        return ListedFlags(all, at: ranked.map(\.place))
    }
}

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
