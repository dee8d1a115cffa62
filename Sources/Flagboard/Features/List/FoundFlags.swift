import FeatureFlags
import FlagChanges

/// What a filter leaves of a catalogue, and what each other choice of a criterion would leave, found in one pass; for a list that
/// nothing narrows, what is known of the catalogue already.
struct FoundFlags {
    /// The flags to list, in the catalogue's order.
    private(set) var entries: [FlagEntry] = []
    /// How many flags fail by one criterion alone: what dropping it would add.
    private(set) var missedBy: [FlagFilter.Misses: Int] = [:]
    private(set) var states: [FlagFilter.State: Int] = [:]
    private(set) var marks: [FlagFilter.Mark: Int] = [:]
    private(set) var types: [FlagType: Int] = [:]
    private(set) var tags: [String: Int] = [:]
    private(set) var providers: [String: Int] = [:]
    /// The groups directly inside the one that the list is narrowed to, in the catalogue's order.
    private(set) var groups: GroupCounts

    init(_ filter: FlagFilter, in view: CatalogueView) {
        guard filter.hasCriteria else {
            let counts = view.counts
            entries = Array(view.catalogue.entries)
            (states, types, tags, providers) = (counts.states, counts.types, counts.tags, counts.providers)
            groups = counts.groups
            for mark in FlagFilter.Mark.allCases { marks[mark] = counts.count(of: mark, in: view) }
            return
        }
        groups = GroupCounts(inside: filter.group)
        let words = FlagSearchIndex.Words(filter.text)
        for (place, entry) in view.catalogue.entries.enumerated() {
            count(entry, misses: filter.misses(entry, at: place, words, in: view), filter, in: view)
        }
    }

    private mutating func count(
        _ entry: FlagEntry, misses: FlagFilter.Misses, _ filter: FlagFilter, in view: CatalogueView
    ) {
        if misses.isEmpty {
            entries.append(entry)
            for mark in FlagFilter.Mark.allCases where mark.matches(entry, in: view) { marks[mark, default: 0] += 1 }
            groups.count(entry)
        } else if misses.isOne {
            missedBy[misses, default: 0] += 1
        }
        if misses.isSubset(of: .state) {
            for state in FlagFilter.State.allCases where state.matches(entry) { states[state, default: 0] += 1 }
        }
        if misses.isSubset(of: .type) { types[entry.definition.type, default: 0] += 1 }
        if misses.isSubset(of: .tag) {
            for tag in entry.definition.metadata.tags { tags[tag, default: 0] += 1 }
        }
        if misses.isSubset(of: .provider), let source = entry.resolution.source.filterName {
            providers[source, default: 0] += 1
        }
    }
}

extension FlagFilter.Misses {
    /// Whether it is a single criterion.
    fileprivate var isOne: Bool { rawValue.nonzeroBitCount == 1 }
}
