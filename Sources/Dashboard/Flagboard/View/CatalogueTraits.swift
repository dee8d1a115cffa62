import FeatureFlags
import FlagChanges
import Synchronization

/// What the flags of a catalogue are narrowed by.
///
/// It follows from the flags alone: a change of some of them changes it by those.
struct CatalogueTraits: Sendable {
    private(set) var flags: [FlagTraits] = []
    /// The text that each flag holds, where it holds one.
    private(set) var texts: [String?]
    private(set) var sources = Numbered<String>()
    private(set) var owners = Numbered<String>()
    private(set) var tagLists = Numbered<[String]>()
    /// The components of the groups that flags stand in; none for those that stand in no group.
    private(set) var groups = Numbered<[String]>()
    /// What a list says beside it that nothing narrows.
    private(set) var all = FacetTally.empty
    private var entries: FlagEntries

    /// Looks at flags.
    init(_ entries: FlagEntries) {
        self.entries = entries
        texts = entries.map(\.heldText)
        flags.reserveCapacity(entries.count)
        for entry in entries { flags.append(traits(of: entry)) }
        all = FacetTally(self) { _ in [] }
    }

    /// The traits of other flags, from these as far as the flags are the same.
    func brought(to entries: FlagEntries) -> CatalogueTraits {
        guard let changed = entries.places(differingFrom: self.entries) else { return CatalogueTraits(entries) }
        var traits = self
        traits.entries = entries
        guard !changed.isEmpty else { return traits }
        for place in changed {
            traits.flags[place] = traits.traits(of: entries[place])
            traits.texts[place] = entries[place].heldText
        }
        traits.all = FacetTally(traits) { _ in [] }
        return traits
    }

    /// All tags, in order.
    var tags: [String] { Set(zip(tagLists.values, all.tagLists).flatMap { $1 > 0 ? $0 : [] }).sorted() }

    /// Whether any flag stands in a group.
    func holdFlag(in group: FlagKeyPath) -> Bool {
        zip(groups.values, all.groups).contains { $1 > 0 && $0.starts(with: group.components) }
    }

    /// Whether any flag has a tag.
    func holdFlag(tagged tag: String) -> Bool {
        zip(tagLists.values, all.tagLists).contains { $1 > 0 && $0.contains(tag) }
    }

    /// Whether any flag has an owner.
    func holdFlag(of owner: String) -> Bool { zip(owners.values, all.owners).contains { $1 > 0 && $0 == owner } }

    private mutating func traits(of entry: FlagEntry) -> FlagTraits {
        let (definition, resolution) = (entry.definition, entry.resolution)
        return FlagTraits(
            states: FlagFilter.State.bits { $0.matches(entry) }, marks: FlagFilter.Mark.bits { $0.isSet(on: entry) },
            isDoubtful: definition.metadata.expires != nil || resolution.isBroken,
            type: FlagType.allCases.firstIndex(of: definition.type) ?? 0,
            source: resolution.source.filterName.map { sources.number(of: $0) },
            owner: definition.metadata.owner.map { owners.number(of: $0) },
            tags: tagLists.number(of: definition.metadata.tags),
            group: groups.number(of: definition.key.components.dropLast()))
    }
}

extension FlagEntry {
    /// The text that a read of the flag returns; `nil` where that is no text.
    var heldText: String? { if case .string(let text)? = resolution.effectiveValue { text } else { nil } }
}

/// Values, each of which has a number.
struct Numbered<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    /// The number of a value, which it has from then on.
    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

extension Numbered where Value == [String] {
    fileprivate mutating func number(of value: ArraySlice<String>) -> Int { number(of: Array(value)) }
}

/// The traits of the catalogue that was listed last.
final class KnownTraits: Sendable {
    private let last = Mutex<CatalogueTraits?>(nil)

    /// The traits of some flags, from the last ones as far as those are the same.
    func traits(of entries: FlagEntries) -> CatalogueTraits {
        let traits = last.withLock { $0 }?.brought(to: entries) ?? CatalogueTraits(entries)
        last.withLock { $0 = traits }
        return traits
    }
}

extension CaseIterable where AllCases == [Self] {
    /// A bit for each case that something holds for.
    fileprivate static func bits(_ holds: (Self) -> Bool) -> UInt16 {
        allCases.enumerated().reduce(0) { holds($1.element) ? $0 | 1 << UInt16($1.offset) : $0 }
    }
}

/// What a list is narrowed by of one flag, as bits and as places in the lists of ``CatalogueTraits``: to look at a hundred
/// thousand flags then takes no longer than to make a page of some.
struct FlagTraits: Sendable {
    /// One bit for each ``FlagFilter/State``.
    let states: UInt16
    /// One bit for each ``FlagFilter/Mark`` that follows from the flag alone.
    let marks: UInt16
    /// Whether its marks may depend on the time, or on which files can be read, too.
    let isDoubtful: Bool
    /// The place of its type among all types.
    let type: Int
    /// Where its value comes from; `nil` for nowhere.
    let source: Int?
    /// Whose it is; `nil` where the definition says nothing of that.
    let owner: Int?
    let tags: Int
    let group: Int
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    /// The bit of this case.
    var bit: UInt16 { Self.allCases.firstIndex(of: self).map { 1 << UInt16($0) } ?? 0 }
}

extension Dashboard {
    var knownTraits: KnownTraits { states.value { KnownTraits() } }
}
