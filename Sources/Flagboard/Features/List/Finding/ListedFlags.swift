import FeatureFlags
import FlagChanges
import FlagHistory

/// Some flags of a catalogue, in an order, by their places in it: a list shows a page of them, and the others are not touched.
struct ListedFlags: RandomAccessCollection, Sendable {
    private let all: FlagEntries
    private let places: [Int]

    /// Lists flags.
    ///
    /// - Parameters:
    ///   - all: The flags of the catalogue.
    ///   - places: The places of those to list.
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
    /// - Parameters:
    ///   - sort: The order.
    ///   - lastChanges: The last change of each, where the order asks for it; flags that were never changed come last.
    /// - Returns: The flags.
    func sorted(_ sort: FlagFilter.Sort, _ lastChanges: [FlagKeyPath: LastChange]) -> ListedFlags {
        switch sort {
        case .order: return self
        case .key: return ListedFlags(all, at: places.sorted { all[$0].key < all[$1].key })
        case .source: return sorted { $0.resolution.source.words }
        case .type: return sorted { $0.definition.type.rawValue }
        // Those without an owner come last.
        case .owner: return sorted { $0.definition.metadata.owner.map { "0\($0)" } ?? "1" }
        case .changed:
            let ranked = places.map { (id: lastChanges[all[$0].key]?.id ?? 0, place: $0) }
            return ListedFlags(all, at: ranked.sorted { ($0.id, $1.place) > ($1.id, $0.place) }.map(\.place))
        }
    }

    /// The flags in the order of a text, and of their keys where they have the same.
    private func sorted(by text: (FlagEntry) -> String) -> ListedFlags {
        let ranked = places.map { (text: text(all[$0]), key: all[$0].key, place: $0) }
        return ListedFlags(all, at: ranked.sorted { ($0.text, $0.key) < ($1.text, $1.key) }.map(\.place))
    }
}
