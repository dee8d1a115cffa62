import FeatureFlags
import FlagChanges
import FlagHistory
import Synchronization

struct FlagMatcher {
    private let view: CatalogueView
    private let traits: CatalogueTraits
    private let textMatches: [Bool]?
    private let isOfTextAlone: Bool
    private let marks: UInt16
    /// Marks that don't follow from the flag alone.
    private let otherMarks: [FlagFilter.Mark]
    /// Marks that are kept as lists, with the lists.
    private let listed: [(mark: FlagFilter.Mark, keys: Set<FlagKeyPath>)]
    private let wanted: [Wanted]

    private struct Wanted {
        let criterion: Int
        /// By the number of a list of values.
        let matches: [Bool]
        /// The place of another flag that matches.
        let included: Int?
    }

    init(_ filter: FlagFilter, in view: CatalogueView) {
        self.view = view
        let traits = view.traits
        self.traits = traits
        let words = FlagSearchIndex.Words(filter.text)
        textMatches = words.isEmpty ? nil : view.catalogue.searchIndex.matches(words, texts: traits.texts)
        isOfTextAlone = !filter.hasCriteriaBesidesText
        marks = filter.marks.reduce(0) { $1.followsFromFlag ? $0 | $1.bit : $0 }
        otherMarks = filter.marks.filter { !$0.followsFromFlag && !$0.isListed }
        listed = filter.marks.filter(\.isListed).map { ($0, view.listed($0)) }
        wanted = FlagCriterion.all.enumerated().compactMap { index, criterion in
            guard let value = filter[criterion] else { return nil }
            let included = criterion.included(value).flatMap { view.catalogue[$0]?.key }
            return Wanted(
                criterion: index,
                matches: traits.lists[index].values.map { list in criterion.parts(value).allSatisfy(list.contains) },
                included: included.flatMap { key in view.catalogue.entries.firstIndex { $0.key == key } })
        }
    }

    /// Returns the matches, and the counts for each other choice of a criterion.
    func tally() -> FacetTally {
        if let textMatches, isOfTextAlone { return FacetTally(traits, having: textMatches) }
        return FacetTally(traits, misses: misses)
    }

    func misses(_ place: Int) -> FlagFilter.Misses {
        var misses = FlagFilter.Misses(marks: marks & ~traits.flags[place].marks)
        if let textMatches, !textMatches[place] { misses.insert(.text) }
        for one in wanted
        where !one.matches[traits.numbers[place * CatalogueTraits.width + one.criterion]] && one.included != place {
            misses.insert(.criterion(one.criterion))
        }
        for mark in otherMarks where !mark.matches(view.catalogue.entries[place], in: view) {
            misses.insert(.mark(mark))
        }
        for (mark, keys) in listed where !keys.contains(view.catalogue.entries[place].key) {
            misses.insert(.mark(mark))
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
