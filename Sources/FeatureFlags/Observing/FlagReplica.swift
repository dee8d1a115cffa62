/// What a flag's value is made of, as one consumer has been told of it.
///
/// All sources tell through one stream, each while it is locked. So the consumer goes through states that the flag was in,
/// in the order in which it was in them, and evaluates them in its own time.
struct FlagReplica<Value: FlagProtocol> {
    enum Event: Sendable {
        /// Every source is followed, and has told what changed until then.
        case began
        case stored(FlagUpdate, FollowedStores.Registration)
        case fallback(FlagDefault<Value>)
    }

    private let flag: DeclaredFlag<Value>
    private let stores = FollowedStores()
    private let handOver: @Sendable (FlagUpdate, FollowedStores.Registration) -> Void
    private var fallback: FlagDefault<Value>
    private var hasBegun = false

    /// Registers a consumer, until it drops the stream or its task is cancelled.
    ///
    /// - Returns: The replica, and the events that it is to take over one after the other.
    static func make(_ flag: DeclaredFlag<Value>) -> (FlagReplica, AsyncStream<Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let (fallback, observation) = flag.observeDefault { continuation.yield(.fallback($0)) }
        let isSelective = flag.computedValue == nil && !fallback.isDynamic && flag.placement?.isSteady ?? true
        let replica = FlagReplica(flag, fallback) { update, registration in
            guard !isSelective || flag.isConcerned(by: update) else { return }
            continuation.yield(.stored(update, registration))
        }
        continuation.onTermination = { [stores = replica.stores] _ in
            observation.end()
            stores.end()
        }
        replica.follow()
        continuation.yield(.began)
        return (replica, events)
    }

    private init(
        _ flag: DeclaredFlag<Value>, _ fallback: FlagDefault<Value>,
        _ handOver: @escaping @Sendable (FlagUpdate, FollowedStores.Registration) -> Void
    ) {
        self.flag = flag
        self.handOver = handOver
        self.fallback = fallback
    }

    /// Takes over an event.
    ///
    /// - Returns: The flag's value then; `nil` before all sources are followed.
    mutating func value(after event: Event) -> Value? {
        switch event {
        case .began: hasBegun = true
        case .stored(let update, let registration): _ = stores.apply(update, registration)
        case .fallback(let fallback): self.fallback = fallback
        }
        guard hasBegun else { return nil }
        follow()
        return value
    }

    /// The list of providers may be another at each access.
    private func follow() {
        stores.follow(flag.placement?.providers ?? [], handOver)
    }

    private var value: Value {
        if let value = FlagOverrides.value(for: flag) ?? flag.computedValue?() { return value }
        for provider in flag.placement?.providers ?? [] {
            let content = provider.store.flatMap(stores.content(of:))
            if let value = flag.value(in: provider, content: content) { return value }
        }
        return fallback.value
    }
}

extension DeclaredFlag {
    /// Whether the value may be another after an update of a provider.
    ///
    /// An update of very many keys is not looked through, since the provider is locked meanwhile.
    fileprivate func isConcerned(by update: FlagUpdate) -> Bool {
        guard let placement else { return true }
        return update.keys.count > 16 || update.concerns(placement.keyPath)
    }
}
