import Synchronization

/// A stream of changes of what providers hold for declared flags.
///
/// Its consumer is registered from the creation of the stream until it drops the stream or its task is cancelled. See
/// ``FlagsLoader/changes``, ``FlagsManager/changes`` and ``FlagCollection/changes``.
///
/// ```swift
/// let fee = flags.delivery.$fee.keyPath
/// for await change in manager.changes(of: [fee]) { print(change) }
/// ```
public struct FlagChangeStream: AsyncSequence, Sendable {
    private let events: AsyncStream<Event>
    private let source: Source

    fileprivate enum Event: Sendable {
        case stored(FlagUpdate, FollowedStores.Registration)
        /// The last event of a store no longer followed.
        case left(FollowedStores.Registration)
    }

    /// Creates a stream; `flags` is called at each event.
    init(of flags: @escaping @Sendable () -> [any AnyFlag], in sources: [FlagSource]) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let source = Source(flags: flags, sources: sources) { continuation.yield($0) }
        let lists = sources.map { $0.observe { source.follow() } }
        continuation.onTermination = { [stores = source.stores] _ in
            for list in lists { list.end() }
            stores.end()
        }
        source.follow()
        source.readUnstored()
        self.events = events
        self.source = source
    }

    /// Creates the only consumer.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), source: source)
    }

    /// The consumer of a stream of changes.
    ///
    /// ```swift
    /// var changes = manager.changes.makeAsyncIterator()
    /// let first = await changes.next()
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Event>.Iterator
        fileprivate let source: Source
        /// The pending changes of the last event, in reverse order.
        fileprivate var waiting: [FlagChange] = []

        /// Waits for a change; `nil` once the task is cancelled.
        public mutating func next() async -> FlagChange? { await next(isolation: #isolation) }

        /// Waits for a change; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange? {
            while waiting.isEmpty {
                guard let event = await events.next(isolation: actor) else { return nil }
                waiting = source.changes(of: event).reversed()
            }
            return waiting.removeLast()
        }
    }
}

private struct Source: Sendable {
    let flags: @Sendable () -> [any AnyFlag]
    let sources: [FlagSource]
    let stores = FollowedStores()
    let unstored = UnstoredValues()
    let handOver: @Sendable (FlagChangeStream.Event) -> Void

    func follow() {
        stores.follow(sources) { [handOver] in
            handOver(.stored($0, $1))
        } leave: { [handOver] in
            handOver(.left($0))
        }
    }

    /// Reads the values that later ones are compared with, of providers that report changes without a store.
    func readUnstored() {
        let notifying = sources.map { ($0, $0.providers.filter { $0.store == nil && !$0.observedStores.isEmpty }) }
        guard notifying.contains(where: { !$0.1.isEmpty }) else { return }
        for placement in flags().compactMap(\.placement) {
            for (source, providers) in notifying where placement.source === source {
                for provider in providers where placement.isRead(from: provider) {
                    _ = unstored.change(of: placement.keyPath, in: provider)
                }
            }
        }
    }

    /// The changes that an event makes, in the order of the flags.
    func changes(of event: FlagChangeStream.Event) -> [FlagChange] {
        // A dynamic list of providers may have changed.
        defer { follow() }
        switch event {
        case .stored(let update, let registration): return changes(of: update, registration)
        case .left(let registration): stores.forget(registration)
        }
        return []
    }

    private func changes(of update: FlagUpdate, _ registration: FollowedStores.Registration) -> [FlagChange] {
        guard let (holders, old) = stores.apply(update, registration) else { return [] }
        let placements = flags().compactMap(\.placement)
        return holders.flatMap { holder in
            var told: Set<FlagKeyPath> = []
            return placements.compactMap { placement -> FlagChange? in
                let (key, provider) = (placement.keyPath, holder.provider)
                guard placement.source === holder.source, placement.isRead(from: provider) else { return nil }
                let change =
                    if provider.store != nil {
                        change(of: key, in: provider.name, from: old, to: update.content)
                    } else if update.concerns(key) {
                        unstored.change(of: key, in: provider)
                    } else {
                        FlagChange?.none
                    }
                guard let change else { return nil }
                return told.insert(key).inserted ? change : nil
            }
        }
    }

    private func change(
        of key: FlagKeyPath, in provider: String, from old: FlagValueStore.Content, to new: FlagValueStore.Content
    ) -> FlagChange? {
        let before: FlagValue? = if case .success(let value) = old.reading(at: key) { value } else { nil }
        switch new.reading(at: key) {
        case .success(let value):
            return value == before ? nil : FlagChange(keyPath: key, provider: provider, value: value, problem: nil)
        case .failure(let problem):
            return before == nil ? nil : FlagChange(keyPath: key, provider: provider, value: nil, problem: problem)
        }
    }
}

private final class UnstoredValues: Sendable {
    private struct Place: Hashable {
        let provider: String
        let key: FlagKeyPath
    }

    private let values = Mutex<[Place: Result<FlagValue?, FlagValueError>]>([:])

    /// Returns the change if the value is not the last known one.
    func change(of key: FlagKeyPath, in provider: any FlagsProvider) -> FlagChange? {
        let reading = Result { () throws(FlagValueError) in try provider.storedValue(at: key) }
        let last = values.withLock { $0.updateValue(reading, forKey: Place(provider: provider.name, key: key)) }
        guard reading != last ?? .success(nil) else { return nil }
        return switch reading {
        case .success(let value): FlagChange(keyPath: key, provider: provider.name, value: value, problem: nil)
        case .failure(let problem): FlagChange(keyPath: key, provider: provider.name, value: nil, problem: problem)
        }
    }
}

/// A change of what one provider holds for one declared flag.
///
/// ```swift
/// for await change in manager.changes {
///     print(change.keyPath, "in", change.provider, "is now", change.value ?? "by default")
/// }
/// ```
public struct FlagChange: Hashable, Sendable {
    /// The flag's key path.
    public let keyPath: FlagKeyPath
    /// The provider's name.
    public let provider: String
    /// The new value; `nil` if it was removed or can't be read.
    public let value: FlagValue?
    /// The reason why the value can't be read; `nil` if it can.
    public let problem: FlagValueError?
}

extension FlagChange: CustomStringConvertible {
    /// The flag, the provider and the value.
    public var description: String {
        let value = problem?.description ?? value?.briefDescription ?? "none"
        return "\(keyPath.text) in \(provider): \(value)"
    }
}
