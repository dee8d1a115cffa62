import FeatureFlags
import FlagChanges
import FlagHistory
import Synchronization

struct FlagMatcher {
    private let view: CatalogueView
    private let traits: CatalogueTraits
    /// Flags that match the search.
    private let textMatches: [Bool]?
    private let isOfTextAlone: Bool
    private let state: UInt16?
    private let marks: UInt16
    /// Marks that don't follow from the flag alone.
    private let otherMarks: [FlagFilter.Mark]
    /// Marks that are kept as lists, with the lists.
    private let listed: [(mark: FlagFilter.Mark, keys: Set<FlagKeyPath>)]
    private let type: Int?
    /// The source's number; an unused one for an unknown name.
    private let source: Int?
    /// The owner's number; an unused one for an unknown name.
    private let owner: Int?
    private let tagLists: [Bool]?
    /// The group, the groups inside it, and the group that it is in itself.
    private let group: (key: FlagKeyPath, contents: [Bool], parent: Int?)?

    init(_ filter: FlagFilter, in view: CatalogueView) {
        self.view = view
        let traits = view.traits
        self.traits = traits
        let words = FlagSearchIndex.Words(filter.text)
        textMatches = words.isEmpty ? nil : view.catalogue.searchIndex.matches(words, texts: traits.texts)
        isOfTextAlone = !filter.hasCriteriaBesidesText
        state = filter.state?.bit
        marks = filter.marks.reduce(0) { $1.followsFromFlag ? $0 | $1.bit : $0 }
        otherMarks = filter.marks.filter { !$0.followsFromFlag && !$0.isListed }
        listed = filter.marks.filter(\.isListed).map { ($0, view.listed($0)) }
        type = filter.type.flatMap { FlagType.allCases.firstIndex(of: $0) }
        source = filter.provider.map { traits.sources.values.firstIndex(of: $0) ?? traits.sources.values.count }
        owner = filter.owner.map { traits.owners.values.firstIndex(of: $0) ?? traits.owners.values.count }
        tagLists = filter.tag.map { tag in traits.tagLists.values.map { $0.contains(tag) } }
        group = filter.group.map { group in
            let groups = traits.groups.values
            return (
                group, groups.map { $0.starts(with: group.components) },
                groups.firstIndex(of: Array(group.components.dropLast()))
            )
        }
    }

    /// Returns the matches, and the counts for each other choice of a criterion.
    func tally() -> FacetTally {
        if let textMatches, isOfTextAlone { return FacetTally(traits, having: textMatches) }
        return FacetTally(traits, misses: misses)
    }

    /// Returns the criteria that the flag at an index fails.
    func misses(_ place: Int) -> FlagFilter.Misses {
        let flag = traits.flags[place]
        var misses = FlagFilter.Misses(marks: marks & ~flag.marks)
        if let textMatches, !textMatches[place] { misses.insert(.text) }
        if let state, flag.states & state == 0 { misses.insert(.state) }
        for mark in otherMarks where !mark.matches(view.catalogue.entries[place], in: view) {
            misses.insert(.mark(mark))
        }
        for (mark, keys) in listed where !keys.contains(view.catalogue.entries[place].key) {
            misses.insert(.mark(mark))
        }
        if let type, type != flag.type { misses.insert(.type) }
        if let source, source != flag.source { misses.insert(.provider) }
        if let owner, owner != flag.owner { misses.insert(.owner) }
        if let tagLists, !tagLists[flag.tags] { misses.insert(.tag) }
        if let group, !group.contents[flag.group] {
            // A group may share its key path with a flag, which counts as inside it.
            let isGroup = flag.group == group.parent && view.catalogue.entries[place].key == group.key
            if !isGroup { misses.insert(.group) }
        }
        return misses
    }
}

/// Cached key paths of renamed flags; only newer history rows are read again.
final class RenamedFlags: Sendable {
    private let known = Mutex<(end: Int64, keys: Set<FlagKeyPath>)>((0, []))

    func keys(through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<FlagKeyPath> {
        let last = known.withLock(\.self)
        guard last.end < end else { return last.keys }
        let keys = last.keys.union(try history.renamedKeys(after: last.end, through: end))
        known.withLock { if $0.end < end { $0 = (end, keys) } }
        return keys
    }
}

extension Dashboard {
    var renamedFlags: RenamedFlags { states.value { RenamedFlags() } }
}
