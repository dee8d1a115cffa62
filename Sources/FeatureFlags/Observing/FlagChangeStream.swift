/// The changes of what providers hold for declared flags, for one consumer: ``FlagsLoader/changes``,
/// ``FlagsManager/changes`` and ``FlagCollection/changes``.
///
/// The consumer is registered from the moment on at which the stream is made, until it drops the stream or its task is
/// cancelled.
public struct FlagChangeStream: AsyncSequence, Sendable {
    private let events: AsyncStream<Event>
    private let source: Source

    fileprivate typealias Event = (update: FlagUpdate, registration: FollowedStores.Registration)

    /// - Parameters:
    ///   - flags: Gives the flags, which may be others at each event.
    ///   - sources: What the flags are read from.
    init(of flags: @escaping @Sendable () -> [any AnyFlag], in sources: [FlagSource]) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let source = Source(flags: flags, sources: sources) { continuation.yield(($0, $1)) }
        let lists = sources.map { $0.observe { source.follow() } }
        continuation.onTermination = { [stores = source.stores] _ in
            for list in lists { list.end() }
            stores.end()
        }
        source.follow()
        self.events = events
        self.source = source
    }

    /// The consumer; there is one.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), source: source)
    }

    /// The consumer of a stream of changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Event>.Iterator
        fileprivate let source: Source
        /// The changes of the last event that have not been asked for yet, the next one last.
        fileprivate var waiting: [FlagChange] = []

        /// Waits for a change.
        ///
        /// - Returns: The change; `nil` once the task is cancelled.
        public mutating func next() async -> FlagChange? { await next(isolation: #isolation) }

        /// Waits for a change.
        ///
        /// - Parameter actor: The actor to wait on.
        /// - Returns: The change; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange? {
            while waiting.isEmpty {
                guard let event = await events.next(isolation: actor) else { return nil }
                waiting = source.changes(of: event).reversed()
            }
            return waiting.removeLast()
        }
    }
}

/// Whose changes a consumer is told.
private struct Source: Sendable {
    let flags: @Sendable () -> [any AnyFlag]
    let sources: [FlagSource]
    let stores = FollowedStores()
    let handOver: @Sendable (FlagUpdate, FollowedStores.Registration) -> Void

    private var providers: [any FlagsProvider] { sources.flatMap(\.providers) }

    func follow() { stores.follow(providers, handOver) }

    /// The changes that an event amounts to, in the order of the flags.
    func changes(of event: FlagChangeStream.Event) -> [FlagChange] {
        // A dynamic list of providers may be another than before.
        defer { follow() }
        guard let (store, old) = stores.apply(event.update, event.registration) else { return [] }
        let flags = flags()
        return providers.filter { $0.store === store }.flatMap { provider in
            var told: Set<FlagKeyPath> = []
            return flags.compactMap { flag -> FlagChange? in
                let change = change(of: flag.keyPath, in: provider.name, from: old, to: event.update.content)
                guard let change, flag.providers.contains(where: { $0.name == provider.name }) else { return nil }
                return told.insert(flag.keyPath).inserted ? change : nil
            }
        }
    }

    private func change(
        of key: FlagKeyPath, in provider: String, from old: FlagValueStore.Content, to new: FlagValueStore.Content
    ) -> FlagChange? {
        let before: FlagValue? =
            if case .success(let value) = Self.value(in: old, at: key) { value } else { nil }
        switch Self.value(in: new, at: key) {
        case .success(let value):
            return value == before ? nil : FlagChange(keyPath: key, provider: provider, value: value, problem: nil)
        case .failure(let problem):
            return before == nil ? nil : FlagChange(keyPath: key, provider: provider, value: nil, problem: problem)
        }
    }

    private static func value(in content: FlagValueStore.Content, at key: FlagKeyPath)
        -> Result<FlagValue?, FlagValueProblem>
    {
        do throws(FlagValueProblem) {
            return .success(try FlagValueStore.value(in: content, at: key))
        } catch {
            return .failure(error)
        }
    }
}
