import FeatureFlags
import FlagChanges

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
