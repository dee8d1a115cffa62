import Synchronization

/// The object that all copies of a ``Flag`` share: its declaration, place and default.
@usableFromInline
final class DeclaredFlag<Value: FlagProtocol>: Sendable {
    let fixedKey: String?
    let fixedKeyPath: FlagKeyPath?
    let metadata: FlagMetadata
    let exclusion: FlagExclusion
    @usableFromInline let computedValue: (@Sendable () -> Value?)?
    let suggestions: [Value]
    private let placed = PlacedOnce()
    @usableFromInline let state: Mutex<State>
    /// The values read last from providers that are asked each time.
    ///
    /// A provider with a store keeps its last good values itself.
    private let remembered = LastValues<Value>()
    /// How to read the value if a provider must be asked each time.
    @usableFromInline let asking = AskedProviders<Value>()
    /// The value's type decides which of the three caches is used.
    @usableFromInline let cachedBool = CachedBool()
    @usableFromInline let cachedWords = CachedWords<Value>()
    @usableFromInline let cachedValue = CachedValue<Value>()
    /// The providers that the cached value is from, if their list is dynamic.
    private let dynamicList = KnownList()
    /// The generation in which the providers hold no value, so that the dynamic default counts; 0 for none.
    @usableFromInline let absence = Atomic<UInt64>(0)

    /// The schema learnt last, and the stored default that it was learnt from.
    private let learnt = Mutex<(fallback: FlagValue?, schema: FlagSchema)?>(nil)

    @usableFromInline
    struct State {
        @usableFromInline var fallback: FlagDefault<Value>
        /// The effective value at placement if the flag requires a restart; the outer `nil` until it is known.
        var valueWhenPlaced: FlagValue??
        var defaultObservers = Observers<FlagDefault<Value>>()
    }

    init(
        fixedKey: String?, fixedKeyPath: FlagKeyPath? = nil, fallback: FlagDefault<Value>, exclusion: FlagExclusion,
        computedValue: (@Sendable () -> Value?)?, suggestions: [Value], metadata: FlagMetadata
    ) {
        self.fixedKey = fixedKey
        self.fixedKeyPath = fixedKeyPath
        self.exclusion = exclusion
        self.computedValue = computedValue
        self.suggestions = suggestions
        self.metadata = metadata
        state = Mutex(State(fallback: fallback))
    }

    /// Returns the schema of the values, learnt again only if the default changes.
    func schema(storedDefault: FlagValue?) -> FlagSchema {
        if let learnt = learnt.withLock({ $0 }), learnt.fallback == storedDefault { return learnt.schema }
        let samples = [storedDefault].compactMap(\.self) + suggestions.compactMap(\.encodedIfStorable)
        let schema = FlagSchema(of: Value.self, samples: samples)
        learnt.withLock { $0 = (storedDefault, schema) }
        return schema
    }

    /// The part of the flag that is computed at each read.
    var computation: FlagComputation? {
        if computedValue != nil { return .value }
        return hasDynamicDefault ? .default : nil
    }

    var hasDynamicDefault: Bool { state.withLock { $0.fallback.isDynamic } }

    /// `nil` until a loader places the flag.
    var placement: FlagPlacement? { placed.load() }

    /// Places the flag, once.
    ///
    /// - Returns: `false` if it already has a place.
    func place(_ placement: FlagPlacement) -> Bool {
        let isFirst = placed.storeIfNil(placement) === placement
        if isFirst { FlagGeneration.advance() }
        return isFirst
    }

    var valueWhenPlaced: FlagValue?? { state.withLock { $0.valueWhenPlaced } }

    func remember(_ valueWhenPlaced: FlagValue?) { state.withLock { $0.valueWhenPlaced = .some(valueWhenPlaced) } }

    /// The current value.
    ///
    /// Inlinable, so that the compiler knows the value's type where it checks the caches.
    @inlinable var value: Value {
        if let computedValue {
            if cachedBool.generation.isOverriding { return freshValue }
            if let value = computedValue() { return value }
        }
        let generation = cachedBool.generation.ofCaches
        if let value = cached(at: generation) { return value }
        if absence.load(ordering: .acquiring) == generation { return defaultValue }
        if let order = asking.order(at: generation) { return value(askedOf: order, at: generation) }
        if let known = generationOfKnownList {
            if let value = cached(at: known) { return value }
            if let order = asking.order(at: known) { return value(askedOf: order, at: known) }
        }
        return computedValue == nil ? freshValue : heldValue
    }

    @inlinable
    func cached(at generation: UInt64) -> Value? {
        if Value.self == Bool.self {
            if let value = cachedBool.value(of: generation) { return unsafeBitCast(value, to: Value.self) }
            return nil
        }
        return CachedWords<Value>.canHold ? cachedWords.value(of: generation) : cachedValue.value(of: generation)
    }

    /// The generation of cached values if a dynamic list still has their providers.
    @usableFromInline var generationOfKnownList: UInt64? { placement?.source.generation(ofKnown: dynamicList) }

    @usableFromInline var freshValue: Value {
        if let value = FlagOverrides.value(for: self) { return value }
        if let value = computedValue?() { return value }
        return heldValue
    }

    /// The value that the providers hold, or the default; remembered if it is steady.
    @usableFromInline var heldValue: Value {
        let generation = FlagGeneration.current
        let list = placement?.source.list
        var order = AskedProviders<Value>.Order()
        let value = value(in: list, continuing: &order)
        let isDynamic = list?.isDynamic == true
        if order.providers.isEmpty, order.otherwise == nil {
            if !isDynamic { absence.store(generation, ordering: .releasing) }
            return value
        }
        let validAt =
            if isDynamic, let list { dynamicList.remember(list, at: generation) } else { generation }
        if order.providers.isEmpty {
            cache(value, at: validAt)
        } else {
            asking.store(order, at: validAt)
        }
        return value
    }

    /// Asks the providers that aren't in the order yet, up to the first that has a value, and completes the order.
    private func value(in list: ProviderList?, continuing order: inout AskedProviders<Value>.Order) -> Value {
        if let placement, let list, let first = order.next {
            for index in first..<list.providers.count where placement.isRead(from: list.providers[index]) {
                let asked = AskedProvider(
                    list.providers[index], isDecoded: list.areDecoded[index], at: placement, after: remembered)
                let value = value(in: asked)
                if list.areSteady[index] {
                    guard let value else { continue }
                    order.end(with: value)
                    return value
                }
                order.providers.append(asked)
                order.next = index + 1
                if let value { return value }
            }
        }
        let fallback = state.withLock { $0.fallback }
        let value = fallback.value(of: self)
        order.end(with: fallback.isDynamic ? nil : value)
        return value
    }

    /// Asks the providers of an order that is known for a generation.
    ///
    /// Inlinable, so that the compiler knows the value's type.
    @inlinable
    func value(askedOf known: AskedProviders<Value>.KnownOrder, at generation: UInt64) -> Value {
        for asked in known.order.providers {
            if let value = value(in: asked) { return value }
        }
        if known.order.next != nil { return value(behind: known.order, at: generation) }
        return known.order.otherwise ?? defaultValue
    }

    /// Asks the providers behind those of an order, which have no value now.
    @usableFromInline
    func value(behind order: AskedProviders<Value>.Order, at generation: UInt64) -> Value {
        // The list comes first: it is the order's own if the generation is still the same. Not so a dynamic list, which
        // may have other providers at each read.
        guard let list = placement?.source.list, FlagGeneration.current == generation else { return heldValue }
        var order = order
        let value = value(in: list, continuing: &order)
        asking.store(order, at: generation)
        return value
    }

    /// Returns a provider's value; a broken one is reported, and replaced by the last good one.
    @inlinable
    func value(in asked: AskedProvider<Value>) -> Value? {
        do throws(FlagValueError) {
            return try asked.value()
        } catch {
            return lastGood(in: asked.provider, insteadOf: error)
        }
    }

    /// Returns a provider's value; a broken one is reported, and replaced by the last good one.
    ///
    /// `content` is what the provider's store is known to hold, so that it is not asked.
    func value(in provider: any FlagsProvider, content: FlagValueStore.Content? = nil) -> Value? {
        guard let placement else { return nil }
        guard let content else { return value(in: AskedProvider(provider, at: placement, after: remembered)) }
        do throws(FlagValueError) {
            let value = try FlagValueStore.value(in: content, at: placement.keyPath).map(Value.decode)
            placement.source.diagnostics.clear(.brokenValue, of: placement.keyPath, in: provider.name)
            return value
        } catch {
            placement.reportBroken(error, in: provider, wanted: Value.flagExpectation)
            return lastGood(in: provider, content: content)
        }
    }

    /// Remembers a good value, or its absence, of a provider without a store.
    func remember(_ value: Value?, in provider: any FlagsProvider) {
        if provider.store == nil { remembered[provider.name].store(value) }
    }

    /// Reports a broken value, and returns the value before it; `nil` if there was no good one.
    @usableFromInline
    func lastGood(in provider: any FlagsProvider, insteadOf problem: FlagValueError) -> Value? {
        placement?.reportBroken(problem, in: provider, wanted: Value.flagExpectation)
        return lastGood(in: provider)
    }

    /// Returns the value before a broken one; `nil` if there was no good one.
    func lastGood(in provider: any FlagsProvider, content: FlagValueStore.Content? = nil) -> Value? {
        guard let key = placement?.keyPath else { return nil }
        return Value.lastGood(among: content?.lastValues(at: key) ?? provider.lastValues(at: key))
            ?? (provider.store == nil ? remembered[provider.name].value : nil)
    }

    /// Reports a default without a stored form; a computed one is not run for this.
    func checkDefault() {
        let fallback = state.withLock { $0.fallback }
        guard let placement, case .fixed(let value) = fallback else { return }
        if let problem = value.storageProblem {
            placement.source.diagnostics.report(
                FlagDiagnostic(
                    flag: placement.keyPath, provider: nil, kind: .unstorableDefault,
                    problem: FlagValueError("can't store the default: \(problem)")))
        } else {
            placement.source.diagnostics.clear(.unstorableDefault, of: placement.keyPath, in: nil)
        }
    }

    /// Reports that the only provider to read from isn't in the list.
    func checkProvider() {
        guard let placement, let only = exclusion.only else { return }
        let names = placement.source.providers.map(\.name)
        guard !names.contains(only) else { return }
        placement.source.diagnostics.report(
            FlagDiagnostic(
                flag: placement.keyPath, provider: only, kind: .missingProvider,
                problem: FlagValueError("\(FlagError(.unknownProvider(only, names: names)))")))
    }

    /// Reports a key that someone took for a path, for each provider that now holds a value at that path.
    func checkKey() {
        guard let placement, fixedKeyPath == nil, let fixedKey else { return }
        let paths = [".", "/"].compactMap { separator -> FlagKeyPath? in
            let parts = fixedKey.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 1, !parts.contains("") else { return nil }
            return FlagKeyPath(
                components: placement.keyPath.components.dropLast() + parts,
                separator: placement.keyPath.pathSeparator)
        }
        guard !paths.isEmpty else { return }
        for provider in placement.providers {
            guard provider.heldValue(at: placement.keyPath) == nil,
                let path = paths.first(where: { provider.heldValue(at: $0) != nil })
            else {
                placement.source.diagnostics.clear(.misplacedKey, of: placement.keyPath, in: provider.name)
                continue
            }
            let components = path.components.map { "\"\($0)\"" }.joined(separator: ", ")
            placement.source.diagnostics.report(
                FlagDiagnostic(
                    flag: placement.keyPath, provider: provider.name, kind: .misplacedKey,
                    problem: FlagValueError(
                        "the key \"\(fixedKey)\" is one component, so the value of \(provider.name) at "
                            + "\(path.text) is not read; declare the flag with keyPath: [\(components)], or the groups "
                            + "as @FlagCollection with a key each")))
        }
    }

    @inlinable var defaultValue: Value { state.withLock { $0.fallback }.value(of: self) }

    func setDefault(_ value: Value) {
        state.withLock { state in
            state.fallback = .fixed(value)
            FlagGeneration.advance()
            state.defaultObservers.handOver(state.fallback)
        }
        checkDefault()
    }

    /// Returns the default and observes every change after it; see ``FlagValueStore/observe(_:end:)``.
    func observeDefault(_ handOver: @escaping @Sendable (FlagDefault<Value>) -> Void) -> (
        fallback: FlagDefault<Value>, Observation
    ) {
        let (fallback, id) = state.withLock { ($0.fallback, $0.defaultObservers.add(handOver)) }
        return (fallback, Observation { [weak self] in self?.state.withLock { $0.defaultObservers.remove(id) } })
    }

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
    /// Returns the stored value; `nil` also if it can't be read.
    func heldValue(at key: FlagKeyPath) -> FlagValue? {
        guard case .success(let stored) = Result(catching: { try storedValue(at: key) }) else { return nil }
        return stored
    }
}
