import Synchronization

/// What the flags of a loader are read from.
final class FlagSource: Sendable {
    let keyConfiguration: KeyConfiguration
    let diagnostics: FlagDiagnostics
    private let state: Mutex<State>
    private let observers = Mutex(Observers<Void>())

    private struct State {
        var list: List
        /// Counts the changes of the list.
        var version = 0
    }

    private enum List {
        case fixed([any FlagsProvider], isSteady: Bool)
        /// Asked for at each access.
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

    /// The providers, in order of precedence.
    var providers: [any FlagsProvider] {
        switch state.withLock({ $0.list }) {
        case .fixed(let providers, _): providers
        case .dynamic(let providers): providers()
        }
    }

    /// Whether a value once read stays the same until ``FlagGeneration`` moves on.
    var isSteady: Bool {
        if case .fixed(_, isSteady: true) = state.withLock({ $0.list }) { true } else { false }
    }

    /// Changes a list that is not dynamic.
    ///
    /// A provider's name and store may be the app's own code, so they are not asked for while the list is locked, and the
    /// change is made anew where another was faster.
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

    /// Reports providers that share a name, and forgets what was reported of providers that are gone.
    private func check(_ providers: [any FlagsProvider]) {
        let counts = providers.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        let collisions = counts.filter { $0.value > 1 }.map { name, count in
            FlagDiagnostic(
                flag: nil, provider: name, kind: .providerCollision,
                problem: FlagValueError("\(count) providers have this name; give each another one"))
        }
        diagnostics.update(providers: Set(counts.keys), collisions: collisions)
    }

    /// Tells that the list may be another than before.
    func tellOfList() {
        FlagGeneration.advance()
        check(providers)
        // An observer that is told asks the list, which may be the app's own code.
        observers.withLock { $0 }.handOver(())
    }

    /// Calls back at each change of a list that is not dynamic, before the change returns, and wherever
    /// ``tellOfList()`` is called.
    func observe(_ handOver: @escaping @Sendable () -> Void) -> Observation {
        let id = observers.withLock { $0.add(handOver) }
        return Observation { [weak self] in self?.observers.withLock { $0.remove(id) } }
    }

    /// The key path of a name below groups.
    func keyPath(_ components: [String]) -> FlagKeyPath {
        let all = keyConfiguration.prefixComponents + components
        return FlagKeyPath(components: all.isEmpty ? [""] : all, separator: keyConfiguration.pathSeparator)
    }
}
