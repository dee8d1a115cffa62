/// A consumer's copy of the sources of several flags; see ``FlagReplica``.
struct CollectionReplica {
    enum Event: Sendable {
        /// All sources are followed, and their earlier changes are in the stream.
        case began
        case stored(FlagUpdate, FollowedStores.Registration)
        /// The last event of a store no longer followed.
        case left(FollowedStores.Registration)
        /// A flag has another default, no longer a dynamic one.
        case fallback(ObjectIdentifier, any FlagProtocol)
        case providers
    }

    /// The flags' values after the last event.
    private(set) var values = HeldValues()
    private var flags: [ReplicaFlag]
    private let sources: [FlagSource]
    private let stores = FollowedStores()
    private var hasBegun = false
    private var hasValues = false
    /// Follows the stores of the flags' current providers.
    private let follow: @Sendable () -> Void

    /// Registers a consumer until it drops the stream or its task is cancelled.
    ///
    /// The replica must apply all events in their order.
    static func make(_ flags: [any AnyFlag]) -> (CollectionReplica, AsyncStream<Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return (CollectionReplica(flags, continuation), events)
    }

    private init(_ flags: [any AnyFlag], _ continuation: AsyncStream<Event>.Continuation) {
        var builder = Builder { continuation.yield(.fallback($0, $1)) }
        for flag in flags { flag.accept(&builder) }
        let sources = flags.sources
        let placements = flags.compactMap(\.placement)
        let follow = { @Sendable [stores] in
            stores.follow(sources) { provider in
                placements.contains { $0.isRead(from: provider) }
            } _: { update, registration in
                continuation.yield(.stored(update, registration))
            } leave: { registration in
                continuation.yield(.left(registration))
            }
        }
        let lists = sources.map { source in
            source.observe {
                follow()
                continuation.yield(.providers)
            }
        }
        continuation.onTermination = { [stores, observations = builder.observations + lists] _ in
            for observation in observations { observation.end() }
            stores.end()
        }
        follow()
        continuation.yield(.began)
        self.flags = builder.flags
        self.sources = sources
        self.follow = follow
    }

    /// Applies an event, and returns `true` if a value changed or these are the first values.
    mutating func isChanged(by event: Event) -> Bool {
        var update: FlagUpdate?
        switch event {
        case .began: hasBegun = true
        case .stored(let stored, let registration):
            _ = stores.apply(stored, registration)
            update = stored
        case .left(let registration): stores.forget(registration)
        case .fallback(let id, let value):
            for index in flags.indices where flags[index].id == id { flags[index].fallback = value }
        case .providers: break
        }
        guard hasBegun else { return false }
        // A dynamic list of providers may have changed.
        follow()
        return readAgain(after: hasValues ? update : nil)
    }

    /// Reads the flags that an update may have changed; all of them without one.
    private mutating func readAgain(after update: FlagUpdate?) -> Bool {
        let isSelective =
            update != nil && sources.allSatisfy { $0.isSteady && $0.providers.allSatisfy(\.isReadFromStore) }
        var isChanged = !hasValues
        for flag in flags {
            if isSelective, let update, !flag.asksEachTime, !flag.isConcerned(update) { continue }
            let value = flag.value(stores, flag.fallback)
            if let last = values[flag.id]?.value, last.isSame(as: value) { continue }
            values[flag.id] = HeldValues.Entry(value: value)
            isChanged = true
        }
        hasValues = true
        return isChanged
    }
}

private struct ReplicaFlag {
    let id: ObjectIdentifier
    /// `true` if a computed value or default may change with any event.
    let asksEachTime: Bool
    /// The default that replaced the first one.
    var fallback: (any FlagProtocol)?
    let value: (FollowedStores, (any FlagProtocol)?) -> any FlagProtocol
    let isConcerned: (FlagUpdate) -> Bool
}

private struct Builder: FlagVisitor {
    let tellOfDefault: @Sendable (ObjectIdentifier, any FlagProtocol) -> Void
    private(set) var flags: [ReplicaFlag] = []
    private(set) var observations: [Observation] = []

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        let (declared, id) = (flag.declared, flag.id)
        let (first, observation) = declared.observeDefault { [tellOfDefault] fallback in
            if case .fixed(let value) = fallback { tellOfDefault(id, value) }
        }
        observations.append(observation)
        flags.append(
            ReplicaFlag(
                id: id, asksEachTime: declared.computedValue != nil || first.isDynamic,
                value: { stores, later in
                    declared.value(in: stores, fallback: later.flatMap { $0 as? Value }.map(FlagDefault.fixed) ?? first)
                },
                isConcerned: declared.isConcerned))
    }
}
