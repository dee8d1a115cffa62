import FeatureFlags
import FlagChanges
import Synchronization

/// Filterable attributes that depend on the flags alone, so that a change updates few of them.
struct CatalogueTraits: Sendable {
    private(set) var flags: [FlagTraits] = []
    /// Effective values that are text.
    private(set) var texts: [String?]
    /// The distinct lists of values that flags hold, by criterion.
    private(set) var lists = FlagCriterion.all.map { _ in Numbered<[String]>() }
    /// The numbers of each flag's lists, flag after flag.
    private(set) var numbers: [Int] = []
    private(set) var all = FacetTally()
    private var entries: FlagEntries

    static let width = FlagCriterion.all.count

    init(_ entries: FlagEntries) {
        self.entries = entries
        texts = entries.map(\.heldText)
        flags = entries.map(FlagTraits.init)
        numbers.reserveCapacity(entries.count * Self.width)
        for entry in entries {
            for (place, criterion) in FlagCriterion.all.enumerated() {
                numbers.append(lists[place].number(of: criterion.held(entry)))
            }
        }
        all = FacetTally(self) { _ in [] }
    }

    /// Returns the traits of other flags, computing only those that differ.
    func brought(to entries: FlagEntries) -> CatalogueTraits {
        guard let changed = entries.places(differingFrom: self.entries) else { return CatalogueTraits(entries) }
        var traits = self
        traits.entries = entries
        guard !changed.isEmpty else { return traits }
        for place in changed {
            traits.flags[place] = FlagTraits(entries[place])
            for (index, criterion) in FlagCriterion.all.enumerated() {
                traits.numbers[place * Self.width + index] = traits.lists[index].number(
                    of: criterion.held(entries[place]))
            }
            traits.texts[place] = entries[place].heldText
        }
        traits.all = FacetTally(traits) { _ in [] }
        return traits
    }

    /// Numbers of flags by value.
    func counts(_ criterion: FlagCriterion, of places: [Int]) -> [String: Int] {
        guard let index = FlagCriterion.all.firstIndex(of: criterion) else { return [:] }
        var counts: [String: Int] = [:]
        for place in places {
            for value in lists[index].values[numbers[place * Self.width + index]] { counts[value, default: 0] += 1 }
        }
        return counts
    }

    /// Numbers of flags by value.
    func counts(_ criterion: FlagCriterion, in tally: FacetTally) -> [String: Int] {
        guard let index = FlagCriterion.all.firstIndex(of: criterion) else { return [:] }
        var counts: [String: Int] = [:]
        for (list, count) in zip(lists[index].values, tally.counts[index]) where count > 0 {
            for value in list { counts[value, default: 0] += count }
        }
        return counts
    }
}

extension FlagEntry {
    var heldText: String? { if case .string(let text)? = resolution.effectiveValue { text } else { nil } }
}

struct Numbered<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    /// A new value gets a number.
    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

final class KnownTraits: Sendable {
    private let last = Mutex<CatalogueTraits?>(nil)

    /// Returns the traits of flags, computing only those that differ from the last ones.
    func traits(of entries: FlagEntries) -> CatalogueTraits {
        let traits = last.withLock { $0 }?.brought(to: entries) ?? CatalogueTraits(entries)
        last.withLock { $0 = traits }
        return traits
    }
}

extension CaseIterable where AllCases == [Self] {
    fileprivate static func bits(_ holds: (Self) -> Bool) -> UInt16 {
        allCases.enumerated().reduce(0) { holds($1.element) ? $0 | 1 << UInt16($1.offset) : $0 }
    }
}

/// Bits, so that filtering 100,000 flags is fast.
struct FlagTraits: Sendable {
    /// One bit per ``FlagFilter/Mark`` that follows from the flag alone.
    let marks: UInt16
    /// Marks may also depend on the time or on unreadable files.
    let isDoubtful: Bool

    init(_ entry: FlagEntry) {
        marks = FlagFilter.Mark.bits { $0.isSet(on: entry) }
        isDoubtful = entry.definition.metadata.expires != nil || entry.resolution.isBroken
    }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    var bit: UInt16 { Self.allCases.firstIndex(of: self).map { 1 << UInt16($0) } ?? 0 }
}

extension Dashboard {
    var knownTraits: KnownTraits { states.value { KnownTraits() } }
}
