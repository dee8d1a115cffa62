import FeatureFlags
import FlagChanges

/// What a filter leaves of a catalogue, and what each other choice of a criterion would leave, found in one pass.
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
    private(set) var groups: [(key: FlagKeyPath, count: Int)] = []
    private var groupPlaces: [String: Int] = [:]

    init(_ filter: FlagFilter, in view: CatalogueView) {
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
            countGroup(of: entry, inside: filter.group)
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

    private mutating func countGroup(of entry: FlagEntry, inside group: FlagKeyPath?) {
        let components = entry.key.components
        let depth = group?.components.count ?? 0
        guard components.count > depth + 1 else { return }
        if let place = groupPlaces[components[depth]] {
            groups[place].count += 1
        } else {
            groupPlaces[components[depth]] = groups.count
            groups.append((FlagKeyPath(components: Array(components[...depth])), 1))
        }
    }
}

extension FlagFilter.Misses {
    /// Whether it is a single criterion.
    fileprivate var isOne: Bool { rawValue.nonzeroBitCount == 1 }
}
