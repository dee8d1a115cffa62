import FeatureFlags
import FlagChanges
import FlagHistory

/// Some flags of a catalogue, in an order, by their places in it: a list shows a page of them, and the others are not touched.
struct ListedFlags: RandomAccessCollection, Sendable {
    private let all: FlagEntries
    private let places: [Int]

    /// Lists flags.
    init(_ all: FlagEntries, at places: [Int]) {
        self.all = all
        self.places = places
    }

    var startIndex: Int { 0 }
    var endIndex: Int { places.count }

    subscript(position: Int) -> FlagEntry { all[places[position]] }

    /// Some of the flags, which stand together in the list.
    func part(_ range: Range<Int>) -> ListedFlags { ListedFlags(all, at: Array(places[range])) }

    /// The flags in another order.
    ///
    /// - Parameter lastChanges: The last change of each, where the order asks for it; flags that were never changed come last, and so do
    ///   those without an owner in the order of owners.
    func sorted(_ sort: FlagFilter.Sort, _ lastChanges: [FlagKeyPath: LastChange]) -> ListedFlags {
        let byKey = { (one: Int, other: Int) in all[one].key < all[other].key }
        return switch sort {
        case .order: self
        case .key: ListedFlags(all, at: places.sorted(by: byKey))
        case .keyFromEnd: ListedFlags(all, at: places.sorted { byKey($1, $0) })
        case .source, .sourceFromEnd: sorted(sort, by: { $0.resolution.source.words.lowercased() }, then: byKey)
        case .type, .typeFromEnd: sorted(sort, by: \.definition.type.rawValue, then: byKey)
        case .owner, .ownerFromEnd: sorted(sort, by: { $0.definition.metadata.owner?.lowercased() }, then: byKey)
        case .changed, .changedFromEnd: sorted(sort, by: { lastChanges[$0.key].map { -$0.id } }, then: <)
        }
    }

    /// The flags in the order of something that they have; those without it come last, from whichever end the others come.
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
