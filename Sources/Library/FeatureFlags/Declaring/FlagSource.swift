import Synchronization

/// The providers, key configuration and diagnostics of a loader.
final class FlagSource: Sendable {
    let keyConfiguration: KeyConfiguration
    let diagnostics: FlagDiagnostics
    private let dynamicProviders: (@Sendable () -> [any FlagsProvider])?
    private let fixed: Mutex<Fixed>
    private let observers = Mutex(Observers<Void>())

    /// The list unless it is dynamic.
    private struct Fixed {
        var list: ProviderList
        var version = 0
    }

    init(providers: [any FlagsProvider], keyConfiguration: KeyConfiguration, diagnostics: FlagDiagnostics) {
        dynamicProviders = nil
        fixed = Mutex(Fixed(list: ProviderList(providers)))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
        check(providers)
    }

    init(
        dynamicProviders: @escaping @Sendable () -> [any FlagsProvider], keyConfiguration: KeyConfiguration,
        diagnostics: FlagDiagnostics
    ) {
        self.dynamicProviders = dynamicProviders
        fixed = Mutex(Fixed(list: ProviderList([])))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    var providers: [any FlagsProvider] { dynamicProviders?() ?? fixed.withLock { $0.list }.providers }

    var list: ProviderList {
        if let dynamicProviders { return ProviderList(dynamicProviders(), isDynamic: true) }
        return fixed.withLock { $0.list }
    }

    /// Returns the generation of a value read from a dynamic list, if that has the same providers now.
    func generation(ofKnown list: KnownList) -> UInt64? { dynamicProviders.flatMap(list.generation) }

    /// `true` if every value stays the same until ``FlagGeneration`` advances.
    var isSteady: Bool { dynamicProviders == nil && fixed.withLock { $0.list }.areSteady.allSatisfy(\.self) }

    /// Changes a list that is not dynamic.
    ///
    /// A provider's name and store may run app code, so they are read outside the lock, and the change is retried if
    /// another was faster.
    func changeProviders(_ change: (inout [any FlagsProvider]) throws -> Void) rethrows {
        guard dynamicProviders == nil else { return }
        while true {
            let old = fixed.withLock { $0 }
            var providers = old.list.providers
            try change(&providers)
            let new = Fixed(list: ProviderList(providers), version: old.version + 1)
            let isChanged = fixed.withLock { fixed in
                guard fixed.version == old.version else { return false }
                fixed = new
                FlagGeneration.advance()
                return true
            }
            if isChanged { return tellOfList() }
        }
    }

    /// Reports providers that share a name, and drops reports on removed providers.
    private func check(_ providers: [any FlagsProvider]) {
        let counts = providers.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        let collisions = counts.filter { $0.value > 1 }.map { name, count in
            FlagDiagnostic(
                flag: nil, provider: name, kind: .providerCollision,
                problem: FlagValueError("\(count) providers have this name; rename all but one"))
        }
        diagnostics.update(providers: Set(counts.keys), collisions: collisions)
    }

    func tellOfList() {
        FlagGeneration.advance()
        check(providers)
        // Outside the lock: an observer reads the list, which may run app code.
        observers.withLock { $0 }.handOver(())
    }

    /// Observes the list: calls back before a change returns, and on ``tellOfList()`` for a dynamic list.
    func observe(_ handOver: @escaping @Sendable () -> Void) -> Observation {
        let id = observers.withLock { $0.add(handOver) }
        return Observation { [weak self] in self?.observers.withLock { $0.remove(id) } }
    }

    func keyPath(_ components: [String]) -> FlagKeyPath {
        let all = keyConfiguration.prefixComponents + components
        return FlagKeyPath(components: all.isEmpty ? [""] : all, separator: keyConfiguration.pathSeparator)
    }

    /// Returns a key path that has all of its components, with the separator of the others.
    func whole(_ keyPath: FlagKeyPath) -> FlagKeyPath {
        FlagKeyPath(components: keyPath.components, separator: keyConfiguration.pathSeparator)
    }
}

/// Providers in order of precedence.
final class ProviderList: Sendable {
    let providers: [any FlagsProvider]
    /// Each provider's ``FlagsProvider/isSteady``.
    let areSteady: [Bool]
    /// The typed values of these providers are their stored ones, decoded; known only of a list that may stay.
    let areDecoded: [Bool]
    /// `true` if there may be another list at the next read.
    let isDynamic: Bool
    /// `false` if a provider is a structure, which has no identity.
    let areObjects: Bool

    init(_ providers: [any FlagsProvider], isDynamic: Bool = false) {
        self.providers = providers
        self.isDynamic = isDynamic
        let areObjects = providers.allSatisfy { type(of: $0) is AnyClass }
        let mayStay = areObjects || !isDynamic
        areSteady = providers.map(\.isSteady)
        areDecoded = providers.map { mayStay && !$0.isSteady && $0.isReadFromStore }
        self.areObjects = areObjects
    }

    /// Returns `true` if the providers are the same objects in the same order.
    ///
    /// Compares words of the existentials: the first one is the reference if the type is a class, and the fourth one is
    /// the type. A cast to `AnyObject` takes a hundred times as long, and a copy of each existential several times.
    func isSame(as others: [any FlagsProvider]) -> Bool {
        guard areObjects, providers.count == others.count else { return false }
        return providers.withUnsafeBytes { own in
            others.withUnsafeBytes { other in
                let (size, word) = (MemoryLayout<any FlagsProvider>.stride, MemoryLayout<UInt>.stride)
                for start in stride(from: 0, to: own.count, by: size) {
                    for offset in [start, start + 3 * word]
                    where own.load(fromByteOffset: offset, as: UInt.self)
                        != other.load(fromByteOffset: offset, as: UInt.self)
                    {
                        return false
                    }
                }
                return true
            }
        }
    }
}

/// The dynamic list that a cached value was read from.
final class KnownList: Sendable {
    private struct State {
        var list: ProviderList?
        var generation: UInt64 = 0
        var count: UInt64 = 0

        /// A generation of the value alone: no change of a list reuses it, the counter of all changes doesn't reach it,
        /// and its lowest bit is 0.
        var own: UInt64 { 1 << 63 | count << 1 }
    }

    private let state = Mutex(State())

    /// Returns the cached value's generation, if no provider has changed since and the list has the same ones.
    func generation(of providers: () -> [any FlagsProvider]) -> UInt64? {
        // The closure may change a value itself, so it is called before the check.
        let now = providers()
        return state.withLock { last in
            guard let list = last.list, list.isSame(as: now), last.generation == FlagGeneration.shared.ofCaches
            else { return nil }
            return last.own
        }
    }

    /// Remembers a list, and returns the generation to cache its value at.
    func remember(_ list: ProviderList, at generation: UInt64) -> UInt64 {
        state.withLock { state in
            state = State(list: list, generation: generation, count: state.count + 1)
            return state.own
        }
    }
}
