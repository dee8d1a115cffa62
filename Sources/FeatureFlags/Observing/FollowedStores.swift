import Synchronization

/// The stores that one consumer follows, and what it has been told that they hold.
final class FollowedStores: Sendable {
    typealias Content = FlagValueStore.Content

    /// A registration with a store; a store that is followed anew has another.
    struct Registration: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let store: FlagValueStore
        var content: Content
        let observation: Observation
    }

    private struct State {
        var entries: [Registration: Entry] = [:]
        var lastNumber = 0
        var isEnded = false
    }

    private let state = Mutex(State())
    /// Whether the consumer need not be told of updates that don't concern its flag.
    let isSelective = Atomic(false)

    /// Follows the stores of some providers, and no others any more, as ``FlagValueStore/observe(_:end:)`` does.
    func follow(
        _ providers: [any FlagsProvider], _ handOver: @escaping @Sendable (FlagUpdate, Registration) -> Void
    ) {
        let stores = providers.compactMap(\.store)
        state.withLock { state in
            guard !state.isEnded else { return }
            for (registration, entry) in state.entries where !stores.contains(where: { $0 === entry.store }) {
                entry.observation.end()
                state.entries[registration] = nil
            }
            for store in stores where !state.entries.values.contains(where: { $0.store === store }) {
                state.lastNumber += 1
                let registration = Registration(number: state.lastNumber)
                let (content, observation) = store.observe { handOver($0, registration) }
                state.entries[registration] = Entry(store: store, content: content, observation: observation)
            }
        }
    }

    /// What a store holds, as far as the consumer has been told; `nil` of one that is not followed.
    func content(of store: FlagValueStore) -> Content? {
        state.withLock { state in state.entries.values.first { $0.store === store }?.content }
    }

    /// Takes over an update.
    ///
    /// - Returns: The store, and what it held before; `nil` where it is not followed any more.
    func apply(_ update: FlagUpdate, _ registration: Registration) -> (store: FlagValueStore, old: Content)? {
        state.withLock { state in
            guard let entry = state.entries[registration] else { return nil }
            state.entries[registration]?.content = update.content
            return (entry.store, entry.content)
        }
    }

    /// Ends all registrations, for good.
    func end() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            state.isEnded = true
            return state.entries
        }
        for entry in entries.values { entry.observation.end() }
    }
}
