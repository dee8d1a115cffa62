import Synchronization

/// The stores that one consumer follows, with their contents as of its last event.
final class FollowedStores: Sendable {
    typealias Content = FlagValueStore.Content

    /// A registration with a store, new each time.
    struct Registration: Hashable, Sendable {
        fileprivate let number: Int
    }

    struct Holder {
        let provider: any FlagsProvider
        let source: FlagSource
    }

    private struct Entry {
        let store: FlagValueStore
        /// The providers of the store, in order of precedence.
        var holders: [Holder]
        var content: Content
        let observation: Observation
        /// `true` if the registration has ended, but earlier updates are still pending.
        var isLeaving = false
    }

    private struct State {
        var entries: [Registration: Entry] = [:]
        var lastNumber = 0
        var lastList = 0
        var followedList = 0
        var isEnded = false
    }

    private let state = Mutex(State())
    /// `true` if the consumer skips updates that don't concern its flag.
    let isSelective = Atomic(false)

    /// Follows the stores of the sources' providers and stops following all others.
    ///
    /// `handOver` runs under the store's lock. `leave` gets a registration after its last update; ``forget(_:)`` then
    /// ends it.
    func follow(
        _ sources: [FlagSource], where isFollowed: (any FlagsProvider) -> Bool = { _ in true },
        _ handOver: @escaping @Sendable (FlagUpdate, Registration) -> Void,
        leave: @Sendable (Registration) -> Void
    ) {
        let list = state.withLock { state in
            state.lastList += 1
            return state.lastList
        }
        let stores = Self.holders(sources, isFollowed)
        state.withLock { state in
            // A list that was read earlier may be older than the followed one.
            guard !state.isEnded, list > state.followedList else { return }
            state.followedList = list
            for (registration, entry) in state.entries where !entry.isLeaving {
                if let (_, holders) = stores.first(where: { $0.store === entry.store }) {
                    state.entries[registration]?.holders = holders
                } else {
                    entry.observation.end()
                    state.entries[registration]?.isLeaving = true
                    leave(registration)
                }
            }
            for (store, holders) in stores
            where !state.entries.values.contains(where: { $0.store === store && !$0.isLeaving }) {
                state.lastNumber += 1
                let registration = Registration(number: state.lastNumber)
                let (content, observation) = store.observe { handOver($0, registration) }
                state.entries[registration] = Entry(
                    store: store, holders: holders, content: content, observation: observation)
            }
        }
    }

    private static func holders(_ sources: [FlagSource], _ isFollowed: (any FlagsProvider) -> Bool) -> [(
        store: FlagValueStore, holders: [Holder]
    )] {
        var stores: [(store: FlagValueStore, holders: [Holder])] = []
        for source in sources {
            for provider in source.providers where isFollowed(provider) {
                let holder = Holder(provider: provider, source: source)
                for store in provider.observedStores {
                    if let index = stores.firstIndex(where: { $0.store === store }) {
                        stores[index].holders.append(holder)
                    } else {
                        stores.append((store, [holder]))
                    }
                }
            }
        }
        return stores
    }

    /// A store's content as of the consumer's last event; `nil` if the store is not followed.
    func content(of store: FlagValueStore) -> Content? {
        state.withLock { state in state.entries.values.first { $0.store === store && !$0.isLeaving }?.content }
    }

    /// Applies an update; `nil` if all registrations have ended.
    func apply(_ update: FlagUpdate, _ registration: Registration) -> (holders: [Holder], old: Content)? {
        state.withLock { state in
            guard let entry = state.entries[registration] else { return nil }
            state.entries[registration]?.content = update.content
            return (entry.holders, entry.content)
        }
    }

    /// Ends a registration after its last update.
    func forget(_ registration: Registration) {
        _ = state.withLock { $0.entries.removeValue(forKey: registration) }
    }

    func end() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            state.isEnded = true
            return state.entries
        }
        for entry in entries.values { entry.observation.end() }
    }
}
