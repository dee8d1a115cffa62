import Synchronization

/// What the flags of a loader are read from.
final class FlagSource: Sendable {
    let keyConfiguration: KeyConfiguration
    let diagnostics: FlagDiagnostics
    private let list: Mutex<List>
    private let observers = Mutex(Observers<Void>())

    private enum List {
        case fixed([any FlagsProvider], isSteady: Bool)
        /// Asked for at each access.
        case dynamic(@Sendable () -> [any FlagsProvider])

        init(_ providers: [any FlagsProvider]) {
            self = .fixed(providers, isSteady: providers.allSatisfy { $0.store != nil })
        }
    }

    init(providers: [any FlagsProvider], keyConfiguration: KeyConfiguration, diagnostics: FlagDiagnostics) {
        list = Mutex(List(providers))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    init(
        dynamicProviders: @escaping @Sendable () -> [any FlagsProvider], keyConfiguration: KeyConfiguration,
        diagnostics: FlagDiagnostics
    ) {
        list = Mutex(.dynamic(dynamicProviders))
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    /// The providers, in order of precedence.
    var providers: [any FlagsProvider] {
        switch list.withLock({ $0 }) {
        case .fixed(let providers, _): providers
        case .dynamic(let providers): providers()
        }
    }

    /// Whether a value once read stays the same until ``FlagGeneration`` moves on.
    var isSteady: Bool {
        if case .fixed(_, isSteady: true) = list.withLock({ $0 }) { true } else { false }
    }

    /// Changes a list that is not dynamic.
    func changeProviders(_ change: (inout [any FlagsProvider]) throws -> Void) rethrows {
        try list.withLock { list in
            guard case .fixed(var providers, _) = list else { return }
            try change(&providers)
            list = List(providers)
            FlagGeneration.advance()
        }
        observers.withLock { $0.handOver(()) }
    }

    /// Calls back at each change of a list that is not dynamic, before the change returns.
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
