import FeatureFlags
import FlagChanges
import Synchronization

/// The filterable attributes of a catalogue's flags.
///
/// They depend on the flags alone, so that a change updates few of them.
struct CatalogueTraits: Sendable {
    private(set) var flags: [FlagTraits] = []
    /// Each flag's effective text, if it is text.
    private(set) var texts: [String?]
    private(set) var sources = Numbered<String>()
    private(set) var owners = Numbered<String>()
    private(set) var tagLists = Numbered<[String]>()
    /// The groups of flags, by components; none for the top level.
    private(set) var groups = Numbered<[String]>()
    private(set) var all = FacetTally.empty
    private var entries: FlagEntries

    init(_ entries: FlagEntries) {
        self.entries = entries
        texts = entries.map(\.heldText)
        flags.reserveCapacity(entries.count)
        for entry in entries { flags.append(traits(of: entry)) }
        all = FacetTally(self) { _ in [] }
    }

    /// Returns the traits of other flags, computing only those that differ.
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

    var tags: [String] { Set(zip(tagLists.values, all.tagLists).flatMap { $1 > 0 ? $0 : [] }).sorted() }

    func holdFlag(in group: FlagKeyPath) -> Bool {
        zip(groups.values, all.groups).contains { $1 > 0 && $0.starts(with: group.components) }
    }

    func holdFlag(tagged tag: String) -> Bool {
        zip(tagLists.values, all.tagLists).contains { $1 > 0 && $0.contains(tag) }
    }

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
    var heldText: String? { if case .string(let text)? = resolution.effectiveValue { text } else { nil } }
}

struct Numbered<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    /// Returns a value's number, assigning one to a new value.
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

/// One flag's filterable attributes as bits and indexes into ``CatalogueTraits``, so that filtering 100,000 flags is
/// fast.
struct FlagTraits: Sendable {
    /// One bit per ``FlagFilter/State``.
    let states: UInt16
    /// One bit per ``FlagFilter/Mark`` that follows from the flag alone.
    let marks: UInt16
    /// Some marks may also depend on the time or on unreadable files.
    let isDoubtful: Bool
    /// The index of the type in `allCases`.
    let type: Int
    /// `nil` if no source has a value.
    let source: Int?
    /// `nil` without an owner.
    let owner: Int?
    let tags: Int
    let group: Int
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    var bit: UInt16 { Self.allCases.firstIndex(of: self).map { 1 << UInt16($0) } ?? 0 }
}

extension Dashboard {
    var knownTraits: KnownTraits { states.value { KnownTraits() } }
}
