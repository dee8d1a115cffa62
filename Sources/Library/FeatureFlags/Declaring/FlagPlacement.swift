/// Where a declared flag stands: its key path, and the providers that are asked for it.
final class FlagPlacement: Sendable {
    let keyPath: FlagKeyPath
    /// The name of the property that declares the flag.
    let propertyName: String
    /// The readable names of the groups around the flag, outermost first.
    let groups: [String]
    /// What the groups around the flag say of all their flags.
    let groupMetadata: FlagMetadata
    let source: FlagSource
    private let exclusion: FlagExclusion

    init(
        keyPath: FlagKeyPath, propertyName: String, groups: [String], groupMetadata: FlagMetadata = FlagMetadata(),
        source: FlagSource, exclusion: FlagExclusion
    ) {
        self.keyPath = keyPath
        self.propertyName = propertyName
        self.groups = groups
        self.groupMetadata = groupMetadata
        self.source = source
        self.exclusion = exclusion
    }

    /// The providers that the flag does not exclude, in order of precedence.
    var providers: [any FlagsProvider] { source.providers.filter(isRead(from:)) }

    /// Whether the flag is read from a provider of the source.
    func isRead(from provider: any FlagsProvider) -> Bool { !exclusion.excludes(provider) }
}

extension FlagPlacement {
    /// Reports that what a provider holds is no value of the flag.
    func reportBroken(_ problem: FlagValueError, in provider: any FlagsProvider, wanted expectation: String) {
        source.diagnostics.report(
            FlagDiagnostic(
                flag: keyPath, provider: provider.name,
                kind: .brokenValue(found: provider.heldValue(at: keyPath)?.briefDescription, wanted: expectation),
                problem: problem))
    }
}

/// The providers that a flag is not read from.
struct FlagExclusion: Sendable {
    let types: [any FlagsProviderConvertible.Type]
    let names: [String]

    func excludes(_ provider: any FlagsProvider) -> Bool {
        names.contains(provider.name) || provider.isOfType(in: types)
    }
}
