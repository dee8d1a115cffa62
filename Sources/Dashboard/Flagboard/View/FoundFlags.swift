import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory

/// The matches of a filter, and the counts for each other choice of a criterion.
///
/// One pass finds both; an unfiltered list needs none.
struct FoundFlags {
    /// In the catalogue's order.
    let entries: ListedFlags
    /// Numbers of flags that fail exactly one criterion: what dropping it would add.
    private(set) var missedBy: [FlagFilter.Misses: Int] = [:]
    /// Numbers of flags by criterion and value.
    private(set) var counts: [FlagCriterion: [String: Int]] = [:]
    private(set) var marks: [FlagFilter.Mark: Int] = [:]
    /// Groups directly inside the filtered one, in the catalogue's order.
    private(set) var groups: [(key: FlagKeyPath, count: Int)] = []

    init(_ filter: FlagFilter, in view: CatalogueView) {
        let (traits, all) = (view.traits, view.catalogue.entries)
        let tally = filter.hasCriteria ? FlagMatcher(filter, in: view).tally() : traits.all
        entries = ListedFlags(all, at: tally.found)
        for (bit, count) in tally.missed.enumerated() where count > 0 {
            missedBy[FlagFilter.Misses(rawValue: 1 << bit)] = count
        }
        for criterion in FlagCriterion.all {
            // Another value narrows the list further where several may be chosen.
            counts[criterion] =
                criterion.takesSeveral && filter[criterion] != nil
                ? traits.counts(criterion, of: tally.found) : traits.counts(criterion, in: tally)
        }
        for (mark, count) in zip(FlagFilter.Mark.allCases, tally.marks) where count > 0 { marks[mark] = count }
        addMarks(of: tally, traits, in: view)
        addGroups(of: tally, traits, inside: filter[.group].flatMap { FlagKeyPath(text: $0) })
    }

    /// Counts the marks that also depend on the time or on unreadable files.
    private mutating func addMarks(of tally: FacetTally, _ traits: CatalogueTraits, in view: CatalogueView) {
        let entries = view.catalogue.entries
        for place in tally.doubtful {
            for mark in FlagFilter.Mark.allCases
            where mark.isDoubtful && mark.matches(entries[place], in: view) { marks[mark, default: 0] += 1 }
        }
        if !view.apps.isEmpty {
            let count = tally.found.count { !view.appValues(of: entries[$0]).isEmpty }
            if count > 0 { marks[.differsInApp] = count }
        }
        for mark in FlagFilter.Mark.allCases where mark.isListed {
            let keys = view.listed(mark)
            // Most lists are empty or short, and an unfiltered list contains all of their existing flags.
            guard !keys.isEmpty else { continue }
            let count =
                tally.found.count == entries.count
                ? keys.count { view.catalogue[$0] != nil } : tally.found.count { keys.contains(entries[$0].key) }
            if count > 0 { marks[mark] = count }
        }
        guard !view.unchanged.isEmpty else { return }
        func isUnchanged(_ place: Int) -> Bool { view.unchanged.index(forKey: entries[place].key) != nil }
        // In an unfiltered list, the unchanged flags are already counted.
        let others =
            tally.found.count == entries.count
            ? view.unchanged.keys.count { view.catalogue[$0] != nil } - tally.doubtful.count(where: isUnchanged)
            : tally.found.count { !traits.flags[$0].isDoubtful && isUnchanged($0) }
        if others > 0 { marks[.stale, default: 0] += others }
    }

    private mutating func addGroups(of tally: FacetTally, _ traits: CatalogueTraits, inside group: FlagKeyPath?) {
        guard let index = FlagCriterion.all.firstIndex(of: .group) else { return }
        let (depth, lists) = (group?.components.count ?? 0, traits.lists[index].values)
        var isSeen = Array(repeating: false, count: lists.count)
        var seen: Set<String> = []
        for place in tally.found {
            let number = traits.numbers[place * CatalogueTraits.width + index]
            guard !isSeen[number] else { continue }
            isSeen[number] = true
            guard lists[number].count > depth, seen.insert(lists[number][depth]).inserted else { continue }
            let text = lists[number][depth]
            if let key = FlagKeyPath(text: text) { groups.append((key, counts[.group]?[text] ?? 0)) }
        }
    }
}

/// Indexes in some order, so that a page touches only its own flags.
struct ListedFlags: RandomAccessCollection, Sendable {
    private let all: FlagEntries
    private let places: [Int]

    init(_ all: FlagEntries, at places: [Int]) {
        self.all = all
        self.places = places
    }

    var startIndex: Int { 0 }
    var endIndex: Int { places.count }

    subscript(position: Int) -> FlagEntry { all[places[position]] }

    func part(_ range: Range<Int>) -> ListedFlags { ListedFlags(all, at: Array(places[range])) }

    /// - Parameter lastChanges: Needed for the order by change. Flags that were never changed come last, as do those
    ///   without an owner in the order by owner.
    func sorted(_ sort: FlagFilter.Sort, _ lastChanges: [FlagKeyPath: LastChange]) -> ListedFlags {
        let byKey = { (one: Int, other: Int) in NaturalOrder.precedes(all[one].key.text, all[other].key.text) }
        return switch sort {
        case .order: self
        case .key: ListedFlags(all, at: places.sorted { all[$0].definition.isBefore(all[$1].definition) })
        case .keyFromEnd: ListedFlags(all, at: places.sorted { byKey($1, $0) })
        case .source, .sourceFromEnd: sorted(sort, by: { $0.resolution.source.words.lowercased() }, then: byKey)
        case .type, .typeFromEnd: sorted(sort, by: \.definition.type.rawValue, then: byKey)
        case .owner, .ownerFromEnd: sorted(sort, by: { $0.definition.metadata.owner?.lowercased() }, then: byKey)
        case .changed, .changedFromEnd: sorted(sort, by: { lastChanges[$0.key].map { -$0.id } }, then: <)
        }
    }

    /// Flags without a rank come last in both directions.
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

extension FlagDefinition {
    /// The order by group, then by key.
    fileprivate func isBefore(_ other: FlagDefinition) -> Bool {
        let (path, otherPath) = (groupPath + [key.leaf], other.groupPath + [other.key.leaf])
        return path == otherPath
            ? key < other.key : path.lexicographicallyPrecedes(otherPath, by: NaturalOrder.precedes)
    }
}

extension FlagCatalogue {
    /// The largest difference in bytes between a mistyped key path and the right one.
    private static let slips = 4

    /// `key` may be mistyped, or lack its group.
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
