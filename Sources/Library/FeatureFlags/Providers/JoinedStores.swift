/// Several stores as one, for as long as this object lives.
///
/// The first store that holds a value at a key path wins; where one can't be read, neither can what the stores before it
/// don't hold.
final class JoinedStores: Sendable {
    /// What the stores hold together; nothing can be changed through it.
    let store: FlagValueStore
    private let observations: [Observation]

    /// Joins stores.
    init(_ stores: [FlagValueStore]) {
        let joined = FlagValueStore(parts: stores.count)
        // A store calls this while it is locked, and the joined one is locked within: never the other way round. What it
        // captures may be let go of there, so no `deinit` of that may lock a store.
        observations = stores.enumerated().map { index, store in
            let (content, observation) = store.observe { joined.take($0, ofPart: index) }
            joined.begin(part: index, with: content)
            return observation
        }
        store = joined
    }

    deinit {
        for observation in observations { observation.end() }
    }
}
