import Synchronization

/// The stores that one consumer follows, and what it has been told that they hold.
final class FollowedStores: Sendable {
    typealias Content = FlagValueStore.Content

    /// A registration with a store; a store that is followed anew has another.
    struct Registration: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// A provider, and whose list it is in.
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
        /// Whether the registration is over, and updates that came before are still to be taken over.
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
    /// Whether the consumer need not be told of updates that don't concern its flag.
    let isSelective = Atomic(false)

    /// Follows the stores of the providers of some sources, and no others any more, as
    /// ``FlagValueStore/observe(_:end:)`` does.
    ///
    /// - Parameters:
    ///   - sources: Whose providers to follow.
    ///   - isFollowed: Whether to follow a provider.
    ///   - handOver: Called with each update of a store that is followed, while the store is locked.
    ///   - leave: Called with a registration after its last update; ``forget(_:)`` then ends it.
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
            // A list that was asked for earlier may be older than the one that is followed.
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
                guard let store = provider.store else { continue }
                let holder = Holder(provider: provider, source: source)
                if let index = stores.firstIndex(where: { $0.store === store }) {
                    stores[index].holders.append(holder)
                } else {
                    stores.append((store, [holder]))
                }
            }
        }
        return stores
    }

    /// What a store holds, as far as the consumer has been told; `nil` of one that is not followed.
    func content(of store: FlagValueStore) -> Content? {
        state.withLock { state in state.entries.values.first { $0.store === store && !$0.isLeaving }?.content }
    }

    /// Takes over an update.
    ///
    /// - Returns: The providers of the store, and what it held before; `nil` where all registrations have ended.
    func apply(_ update: FlagUpdate, _ registration: Registration) -> (holders: [Holder], old: Content)? {
        state.withLock { state in
            guard let entry = state.entries[registration] else { return nil }
            state.entries[registration]?.content = update.content
            return (entry.holders, entry.content)
        }
    }

    /// Ends a registration whose updates have all been taken over.
    func forget(_ registration: Registration) {
        _ = state.withLock { $0.entries.removeValue(forKey: registration) }
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
