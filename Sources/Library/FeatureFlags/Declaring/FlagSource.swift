import Synchronization

/// The providers, key configuration and diagnostics of a loader.
final class FlagSource: Sendable {
    let keyConfiguration: KeyConfiguration
    let diagnostics: FlagDiagnostics
    private let state: Mutex<State>
    private let observers = Mutex(Observers<Void>())

    private struct State {
        var list: List
        var version = 0
    }

    private enum List {
        case fixed([any FlagsProvider], isSteady: Bool)
        case dynamic(@Sendable () -> [any FlagsProvider])

        init(_ providers: [any FlagsProvider]) {
            self = .fixed(providers, isSteady: providers.allSatisfy { $0.store != nil })
        }
    }

    init(providers: [any FlagsProvider], keyConfiguration: KeyConfiguration, diagnostics: FlagDiagnostics) {
        state = Mutex(State(list: List(providers)))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
        check(providers)
    }

    init(
        dynamicProviders: @escaping @Sendable () -> [any FlagsProvider], keyConfiguration: KeyConfiguration,
        diagnostics: FlagDiagnostics
    ) {
        state = Mutex(State(list: .dynamic(dynamicProviders)))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    var providers: [any FlagsProvider] {
        switch state.withLock({ $0.list }) {
        case .fixed(let providers, _): providers
        case .dynamic(let providers): providers()
        }
    }

    /// `true` if a value stays the same until ``FlagGeneration`` advances.
    var isSteady: Bool {
        if case .fixed(_, isSteady: true) = state.withLock({ $0.list }) { true } else { false }
    }

    /// Changes a list that is not dynamic.
    ///
    /// A provider's name and store may run app code, so they are not read under the lock; the change is retried if
    /// another one was faster.
    func changeProviders(_ change: (inout [any FlagsProvider]) throws -> Void) rethrows {
        while true {
            let (old, version) = state.withLock { ($0.list, $0.version) }
            guard case .fixed(var providers, _) = old else { return }
            try change(&providers)
            let new = List(providers)
            let isChanged = state.withLock { state in
                guard state.version == version else { return false }
                state = State(list: new, version: version + 1)
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
                problem: FlagValueError("\(count) providers have this name; give each another one"))
        }
        diagnostics.update(providers: Set(counts.keys), collisions: collisions)
    }

    /// Notifies observers that the list may have changed.
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
}
