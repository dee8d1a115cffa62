import Synchronization

/// A consumer's copy of a flag's sources.
///
/// All sources send into one stream, each under its lock. So the consumer evaluates the states of the flag in order,
/// but in its own time.
struct FlagReplica<Value: FlagProtocol> {
    enum Event: Sendable {
        /// All sources are followed, and their earlier changes are in the stream.
        case began
        case stored(FlagUpdate, FollowedStores.Registration)
        /// The last event of a store no longer followed.
        case left(FollowedStores.Registration)
        case fallback(FlagDefault<Value>)
        case providers
    }

    private let flag: DeclaredFlag<Value>
    private let stores = FollowedStores()
    private var fallback: FlagDefault<Value>
    private var hasBegun = false
    /// Follows the stores of the flag's current providers.
    private let follow: @Sendable () -> Void

    /// Registers a consumer until it drops the stream or its task is cancelled.
    ///
    /// The replica must apply all events in their order.
    static func make(_ flag: DeclaredFlag<Value>) -> (FlagReplica, AsyncStream<Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return (FlagReplica(flag, continuation), events)
    }

    private init(_ flag: DeclaredFlag<Value>, _ continuation: AsyncStream<Event>.Continuation) {
        let (fallback, defaults) = flag.observeDefault { continuation.yield(.fallback($0)) }
        let asksEachTime = flag.computedValue != nil || fallback.isDynamic
        let follow = { @Sendable [stores] in
            guard let placement = flag.placement else { return }
            // A provider that reads a type in its own way may use anything that it holds.
            let isSelective =
                !asksEachTime && placement.source.isSteady
                && placement.providers.allSatisfy { $0.isReadFromStore(as: Value.self) }
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

    /// Applies an event, and returns the flag's value then; `nil` before all sources are followed.
    mutating func value(after event: Event) -> Value? {
        switch event {
        case .began: hasBegun = true
        case .stored(let update, let registration): _ = stores.apply(update, registration)
        case .left(let registration): stores.forget(registration)
        case .fallback(let fallback): self.fallback = fallback
        case .providers: break
        }
        guard hasBegun else { return nil }
        // A dynamic list of providers may have changed.
        follow()
        return flag.value(in: stores, fallback: fallback)
    }
}

extension DeclaredFlag {
    /// Returns the value as of a consumer's last event; `fallback` is the default then.
    func value(in stores: FollowedStores, fallback: FlagDefault<Value>) -> Value {
        if let value = FlagOverrides.value(for: self) ?? computedValue?() { return value }
        for provider in placement?.providers ?? [] {
            let content = provider.isReadFromStore(as: Value.self) ? provider.store.flatMap(stores.content(of:)) : nil
            if let value = value(in: provider, content: content) { return value }
        }
        return fallback.value(of: self)
    }

    /// `true` if an update of a provider may change the value.
    ///
    /// An update of very many keys is not searched, as that would lock the provider for long.
    func isConcerned(by update: FlagUpdate) -> Bool {
        guard let placement else { return true }
        return update.keys.count > 16 || update.concerns(placement.keyPath)
    }
}
