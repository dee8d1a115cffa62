import Synchronization

/// The one object that all copies of a ``Flag`` share: what was declared, where it was placed, and its default.
@usableFromInline
final class DeclaredFlag<Value: FlagProtocol>: Sendable {
    let fixedKey: String?
    let metadata: FlagMetadata
    let exclusion: FlagExclusion
    let computedValue: (@Sendable () -> Value?)?
    let suggestions: [Value]
    private let placed = AtomicLazyReference<FlagPlacement>()
    private let state: Mutex<State>
    /// The last good values of providers without a store, which remember none, by the providers' names.
    private let remembered = Mutex<[String: Value]>([:])
    /// Which of the three caches is used is the value's type's matter.
    @usableFromInline let cachedBool = CachedBool()
    @usableFromInline let cachedWords = CachedWords<Value>()
    @usableFromInline let cachedValue = CachedValue<Value>()

    private struct State {
        var fallback: FlagDefault<Value>
        /// The effective value when the flag was placed, of one that requires a restart; the outer `nil` until it is known.
        var valueWhenPlaced: FlagValue??
        var defaultObservers = Observers<FlagDefault<Value>>()
    }

    init(
        fixedKey: String?, fallback: FlagDefault<Value>, exclusion: FlagExclusion,
        computedValue: (@Sendable () -> Value?)?, suggestions: [Value], metadata: FlagMetadata
    ) {
        self.fixedKey = fixedKey
        self.exclusion = exclusion
        self.computedValue = computedValue
        self.suggestions = suggestions
        self.metadata = metadata
        state = Mutex(State(fallback: fallback))
    }

    /// Where the flag stands; `nil` until a loader has placed it.
    var placement: FlagPlacement? { placed.load() }

    /// Places the flag, once.
    ///
    /// - Returns: `false` where it has a place already.
    func place(_ placement: FlagPlacement) -> Bool {
        let isFirst = placed.storeIfNil(placement) === placement
        if isFirst { FlagGeneration.advance() }
        return isFirst
    }

    /// The effective value when the flag was placed, of one that requires a restart; the outer `nil` until it is known.
    var valueWhenPlaced: FlagValue?? { state.withLock { $0.valueWhenPlaced } }

    func remember(_ valueWhenPlaced: FlagValue?) { state.withLock { $0.valueWhenPlaced = .some(valueWhenPlaced) } }

    /// What a read returns.
    ///
    /// The caches are looked into where the read is compiled, so that they know the value's type.
    @inlinable var value: Value {
        if Value.self == Bool.self {
            if let value = cachedBool.current { return unsafeBitCast(value, to: Value.self) }
        } else if CachedWords<Value>.canHold {
            if let value = cachedWords.current { return value }
        } else if let value = cachedValue.current {
            return value
        }
        return freshValue
    }

    @usableFromInline var freshValue: Value {
        if let value = FlagOverrides.value(for: self) { return value }
        let generation = FlagGeneration.current
        let reading = read()
        if reading.isSteady { cache(reading.value, at: generation) }
        return reading.value
    }

    /// A value, where it is from, and whether it stays the same until the generation moves on.
    typealias Reading = (value: Value, source: (any FlagsProvider)?, isSteady: Bool)

    /// Asks the computed value, the providers in order, and the default.
    func read() -> Reading {
        if let value = computedValue?() { return (value, nil, false) }
        let isSteady = computedValue == nil && placement?.source.isSteady ?? true
        for provider in placement?.providers ?? [] {
            if let value = value(in: provider) { return (value, provider, isSteady) }
        }
        let fallback = state.withLock { $0.fallback }
        return (fallback.value, nil, isSteady && !fallback.isDynamic)
    }

    /// What one provider holds; where that is broken, which is reported, the last good value that it held, `nil` for none as for nothing.
    ///
    /// Where `content` says what the provider's store is known to hold, the provider is not asked.
    func value(in provider: any FlagsProvider, content: FlagValueStore.Content? = nil) -> Value? {
        guard let placement else { return nil }
        do throws(FlagValueError) {
            let value =
                if let content {
                    try FlagValueStore.value(in: content, at: placement.keyPath).map(Value.decode)
                } else {
                    try provider.value(of: Value.self, at: placement.keyPath)
                }
            placement.source.diagnostics.clear(.brokenValue, of: placement.keyPath, in: provider.name)
            remember(value, in: provider)
            return value
        } catch {
            placement.reportBroken(error, in: provider, wanted: Value.flagExpectation)
            return lastGood(in: provider, content: content)
        }
    }

    /// Keeps a good value of a provider without a store, or that there is none.
    func remember(_ value: Value?, in provider: any FlagsProvider) {
        guard provider.store == nil else { return }
        remembered.withLock { if value != nil || !$0.isEmpty { $0[provider.name] = value } }
    }

    /// The last good value that a provider held which is broken now; `nil` where it never held one, or none any more before.
    func lastGood(in provider: any FlagsProvider, content: FlagValueStore.Content? = nil) -> Value? {
        guard let key = placement?.keyPath else { return nil }
        return Value.lastGood(among: content?.lastValues(at: key) ?? provider.lastValues(at: key))
            ?? (provider.store == nil ? remembered.withLock { $0[provider.name] } : nil)
    }

    /// Reports a default that has no stored form, unless it is computed: that would be run for nothing else.
    func checkDefault() {
        let fallback = state.withLock { $0.fallback }
        guard let placement, case .fixed(let value) = fallback else { return }
        if let problem = value.storageProblem {
            placement.source.diagnostics.report(
                FlagDiagnostic(
                    flag: placement.keyPath, provider: nil, kind: .unstorableDefault,
                    problem: FlagValueError("the default can't be stored: \(problem)")))
        } else {
            placement.source.diagnostics.clear(.unstorableDefault, of: placement.keyPath, in: nil)
        }
    }

    /// The value without any provider.
    var defaultValue: Value { state.withLock { $0.fallback }.value }

    func setDefault(_ value: Value) {
        state.withLock { state in
            state.fallback = .fixed(value)
            FlagGeneration.advance()
            state.defaultObservers.handOver(state.fallback)
        }
        checkDefault()
    }

    /// The default, and from exactly that on each change of it; see ``FlagValueStore/observe(_:end:)``.
    func observeDefault(_ handOver: @escaping @Sendable (FlagDefault<Value>) -> Void) -> (
        fallback: FlagDefault<Value>, Observation
    ) {
        let (fallback, id) = state.withLock { ($0.fallback, $0.defaultObservers.add(handOver)) }
        return (fallback, Observation { [weak self] in self?.state.withLock { $0.defaultObservers.remove(id) } })
    }

    /// How many consumers are told of changes of the default.
    var defaultObserverCount: Int { state.withLock { $0.defaultObservers.count } }

    private func cache(_ value: Value, at generation: UInt64) {
        if Value.self == Bool.self {
            cachedBool.store(unsafeBitCast(value, to: Bool.self), at: generation)
        } else if CachedWords<Value>.canHold {
            cachedWords.store(value, at: generation)
        } else {
            cachedValue.store(value, at: generation)
        }
    }
}

extension FlagsProvider {
    /// What is held where it can be said at all.
    func heldValue(at key: FlagKeyPath) -> FlagValue? {
        guard case .success(let stored) = Result(catching: { try storedValue(at: key) }) else { return nil }
        return stored
    }
}
