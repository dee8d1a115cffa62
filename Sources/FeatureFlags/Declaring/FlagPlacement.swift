/// Where a declared flag stands: its key path, and the providers that are asked for it.
final class FlagPlacement: Sendable {
    let keyPath: FlagKeyPath
    /// The name of the property that declares the flag.
    let propertyName: String
    /// The readable names of the groups around the flag, outermost first.
    let groups: [String]
    let source: FlagSource
    /// The providers that the flag does not exclude, where the list is fixed.
    private let fixedProviders: [any FlagsProvider]?
    private let exclusion: FlagExclusion
    /// Whether a value once read stays the same until ``FlagGeneration`` moves on.
    let isSteady: Bool

    init(
        keyPath: FlagKeyPath, propertyName: String, groups: [String], source: FlagSource, exclusion: FlagExclusion
    ) {
        self.keyPath = keyPath
        self.propertyName = propertyName
        self.groups = groups
        self.source = source
        self.exclusion = exclusion
        fixedProviders = source.fixedProviders?.filter { !exclusion.excludes($0) }
        isSteady = fixedProviders?.allSatisfy { $0.store != nil } ?? false
    }

    /// The providers that the flag does not exclude, in order of precedence.
    var providers: [any FlagsProvider] {
        fixedProviders ?? source.providers.filter { !exclusion.excludes($0) }
    }
}

/// The providers that a flag is not read from.
struct FlagExclusion: Sendable {
    let types: [any FlagsProvider.Type]
    let names: [String]

    func excludes(_ provider: any FlagsProvider) -> Bool {
        names.contains(provider.name) || types.contains { $0 == type(of: provider) }
    }
}

/// What the flags of a loader are read from.
final class FlagSource: Sendable {
    /// The providers, where they are the same at each access.
    let fixedProviders: [any FlagsProvider]?
    private let dynamicProviders: @Sendable () -> [any FlagsProvider]
    let keyConfiguration: KeyConfiguration
    let diagnostics: FlagDiagnostics

    init(providers: [any FlagsProvider], keyConfiguration: KeyConfiguration, diagnostics: FlagDiagnostics) {
        fixedProviders = providers
        dynamicProviders = { providers }
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    init(
        dynamicProviders: @escaping @Sendable () -> [any FlagsProvider], keyConfiguration: KeyConfiguration,
        diagnostics: FlagDiagnostics
    ) {
        fixedProviders = nil
        self.dynamicProviders = dynamicProviders
        self.keyConfiguration = keyConfiguration
        self.diagnostics = diagnostics
    }

    var providers: [any FlagsProvider] { fixedProviders ?? dynamicProviders() }

    /// The key path of a name below groups.
    func keyPath(_ components: [String]) -> FlagKeyPath {
        let all = keyConfiguration.prefixComponents + components
        return FlagKeyPath(components: all.isEmpty ? [""] : all, separator: keyConfiguration.pathSeparator)
    }
}
