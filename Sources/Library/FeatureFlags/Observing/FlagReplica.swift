import Synchronization

/// What a flag's value is made of, as one consumer has been told of it.
///
/// All sources tell through one stream, each while it is locked. So the consumer goes through states that the flag was in,
/// in the order in which it was in them, and evaluates them in its own time.
struct FlagReplica<Value: FlagProtocol> {
    enum Event: Sendable {
        /// Every source is followed, and has told what changed until then.
        case began
        case stored(FlagUpdate, FollowedStores.Registration)
        /// A store is not followed any more, and has told all that it had to.
        case left(FollowedStores.Registration)
        case fallback(FlagDefault<Value>)
        case providers
    }

    private let flag: DeclaredFlag<Value>
    private let stores = FollowedStores()
    private var fallback: FlagDefault<Value>
    private var hasBegun = false
    /// Follows the stores of the providers that the flag has now.
    private let follow: @Sendable () -> Void

    /// Registers a consumer, until it drops the stream or its task is cancelled.
    ///
    /// - Returns: The replica, and the events that it is to take over one after the other.
    static func make(_ flag: DeclaredFlag<Value>) -> (FlagReplica, AsyncStream<Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return (FlagReplica(flag, continuation), events)
    }

    private init(_ flag: DeclaredFlag<Value>, _ continuation: AsyncStream<Event>.Continuation) {
        let (fallback, defaults) = flag.observeDefault { continuation.yield(.fallback($0)) }
        let asksEachTime = flag.computedValue != nil || fallback.isDynamic
        let follow = { @Sendable [stores] in
            guard let placement = flag.placement else { return }
            // A provider that reads a type in its own way may do so from anything that it holds.
            let isSelective =
                !asksEachTime && placement.source.isSteady && placement.providers.allSatisfy(\.isReadFromStore)
            stores.isSelective.store(isSelective, ordering: .releasing)
            stores.follow([placement.source], where: placement.isRead(from:)) { update, registration in
                guard !stores.isSelective.load(ordering: .acquiring) || flag.isConcerned(by: update) else { return }
                continuation.yield(.stored(update, registration))
            } leave: { registration in
                continuation.yield(.left(registration))
            }
        }
        let lists = flag.placement?.source.observe {
            follow()
            continuation.yield(.providers)
        }
        continuation.onTermination = { [stores] _ in
            defaults.end()
            lists?.end()
            stores.end()
        }
        follow()
        continuation.yield(.began)
        self.flag = flag
        self.fallback = fallback
        self.follow = follow
    }

    /// Takes over an event.
    ///
    /// - Returns: The flag's value then; `nil` before all sources are followed.
    mutating func value(after event: Event) -> Value? {
        switch event {
        case .began: hasBegun = true
        case .stored(let update, let registration): _ = stores.apply(update, registration)
        case .left(let registration): stores.forget(registration)
        case .fallback(let fallback): self.fallback = fallback
        case .providers: break
        }
        guard hasBegun else { return nil }
        // A dynamic list of providers may be another than before.
        follow()
        return value
    }

    private var value: Value {
        if let value = FlagOverrides.value(for: flag) ?? flag.computedValue?() { return value }
        for provider in flag.placement?.providers ?? [] {
            let content = provider.isReadFromStore ? provider.store.flatMap(stores.content(of:)) : nil
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
