import FeatureFlags
import FlagChanges
import Synchronization

/// How many flags of a catalogue there are of each sort: what a list that nothing narrows says beside it.
///
/// It follows from the flags alone, and a change of some of them changes it by those.
struct FlagCounts: Sendable {
    private let entries: FlagEntries
    private(set) var states: [FlagFilter.State: Int] = [:]
    private(set) var types: [FlagType: Int] = [:]
    private(set) var tags: [String: Int] = [:]
    private(set) var providers: [String: Int] = [:]
    /// The groups that stand in no other, in the catalogue's order.
    private(set) var groups = GroupCounts(inside: nil)
    private var marks: [FlagFilter.Mark: Int] = [:]
    /// The places of the flags whose marks depend on the time, or on which files can be read, too.
    private var doubtful: Set<Int> = []

    /// Counts flags.
    init(_ entries: FlagEntries) {
        self.entries = entries
        for (place, entry) in entries.enumerated() {
            count(entry, at: place, by: 1)
            groups.count(entry)
        }
    }

    /// The counts of other flags, from these as far as the flags are the same.
    func brought(to entries: FlagEntries) -> FlagCounts {
        guard let changed = entries.places(differingFrom: self.entries),
            changed.allSatisfy({ entries[$0].key == self.entries[$0].key })
        else { return FlagCounts(entries) }
        var counts = self
        for place in changed {
            counts.count(self.entries[place], at: place, by: -1)
            counts.count(entries[place], at: place, by: 1)
        }
        return FlagCounts(counts, entries)
    }

    /// How many flags have a mark.
    ///
    /// - Parameters:
    ///   - mark: The mark.
    ///   - view: The flags that these are the counts of.
    /// - Returns: The number; `nil` for none.
    func count(of mark: FlagFilter.Mark, in view: CatalogueView) -> Int? {
        if mark.followsFromFlag { return marks[mark] }
        var count = doubtful.count { mark.matches(entries[$0], in: view) }
        if mark == .stale {
            count += view.unchanged.count - doubtful.count { view.unchanged.index(forKey: entries[$0].key) != nil }
        }
        return count == 0 ? nil : count
    }

    private init(_ counts: FlagCounts, _ entries: FlagEntries) {
        self.entries = entries
        (states, types, tags, providers) = (counts.states, counts.types, counts.tags, counts.providers)
        (groups, marks, doubtful) = (counts.groups, counts.marks, counts.doubtful)
    }

    private mutating func count(_ entry: FlagEntry, at place: Int, by step: Int) {
        let definition = entry.definition
        for state in FlagFilter.State.allCases where state.matches(entry) { states.add(step, to: state) }
        types.add(step, to: definition.type)
        for tag in definition.metadata.tags { tags.add(step, to: tag) }
        if let source = entry.resolution.source.filterName { providers.add(step, to: source) }
        for mark in FlagFilter.Mark.allCases where mark.followsFromFlag && mark.isSet(on: entry) {
            marks.add(step, to: mark)
        }
        if step < 0 {
            doubtful.remove(place)
        } else if definition.metadata.expires != nil || entry.resolution.isBroken {
            doubtful.insert(place)
        }
    }
}

/// How many flags stand in each group that is directly inside one, in the order in which the flags come.
struct GroupCounts: Sendable {
    private let depth: Int
    private(set) var all: [(key: FlagKeyPath, count: Int)] = []
    private var places: [String: Int] = [:]

    /// - Parameter group: The group that they are in; `nil` for those that are in none.
    init(inside group: FlagKeyPath?) { depth = group?.components.count ?? 0 }

    mutating func count(_ entry: FlagEntry) {
        let components = entry.key.components
        guard components.count > depth + 1 else { return }
        if let place = places[components[depth]] {
            all[place].count += 1
        } else {
            places[components[depth]] = all.count
            all.append((FlagKeyPath(components: Array(components[...depth])), 1))
        }
    }
}

/// The counts of the last catalogue that was listed.
final class KnownFlagCounts: Sendable {
    private let last = Mutex<FlagCounts?>(nil)

    /// The counts of some flags, from the last ones as far as those are the same.
    func counts(of entries: FlagEntries) -> FlagCounts {
        let counts = last.withLock { $0 }?.brought(to: entries) ?? FlagCounts(entries)
        last.withLock { $0 = counts }
        return counts
    }
}

extension Dictionary where Value == Int {
    /// Counts; what there is none of any more has no entry.
    fileprivate mutating func add(_ step: Int, to key: Key) {
        let count = (self[key] ?? 0) + step
        self[key] = count == 0 ? nil : count
    }
}
