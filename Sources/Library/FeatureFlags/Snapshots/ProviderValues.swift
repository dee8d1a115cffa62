/// The values that one provider of a running app holds for the app's flags.
package struct ProviderValues: Hashable, Sendable {
    package let provider: String
    package let description: String?
    package let isWritable: Bool
    package fileprivate(set) var values: [FlagKeyPath: FlagValue] = [:]
    package fileprivate(set) var broken: [FlagKeyPath: FlagValueError] = [:]
    /// Of the broken values, those that still count.
    package fileprivate(set) var lastGood: [FlagKeyPath: FlagValue] = [:]

    fileprivate init(of provider: any FlagsProvider) {
        self.provider = provider.name
        description = provider.shortDescription
        isWritable = provider.isWritable
    }
}

extension FlagsManager {
    /// Reads what every provider holds, and what each flag returns.
    ///
    /// - Parameter showsInternal: Whether to include internal flags, which other tools must not see.
    /// - Returns: The providers in order, and the value of each flag that has one.
    package func providerValues(
        showsInternal: Bool = true
    ) -> (providers: [ProviderValues], effective: [FlagKeyPath: FlagValue]) {
        var effective: [FlagKeyPath: FlagValue] = [:]
        var held = providers.map { ProviderValues(of: $0) }
        let places = Dictionary(
            held.enumerated().map { ($1.provider, $0) }, uniquingKeysWith: { first, _ in first })
        for flag in featureFlags where showsInternal || !flag.metadata.isInternal {
            let (key, resolution) = (flag.keyPath, flag.explain().resolution)
            effective[key] = resolution.effectiveValue
            for reading in resolution.readings {
                guard let place = places[reading.provider] else { continue }
                switch reading.answer {
                case .value(let value, _): held[place].values[key] = value
                case .broken(let problem, _):
                    (held[place].broken[key], held[place].lastGood[key]) = (problem, reading.lastGood)
                case .absent: break
                }
            }
        }
        return (held, effective)
    }
}

extension FlagsManager {
    /// Stores or removes values in a provider, all or none.
    ///
    /// A value that its flag can't use is refused: a person would think it in force.
    ///
    /// - Throws: The provider's error, or the flag's, for the first value that is refused. The former values are back
    ///   then, unless the provider refuses them too.
    package func setStoredValues(
        _ values: [(key: FlagKeyPath, value: FlagValue?)], in provider: any FlagsProvider
    ) throws {
        var former: [(key: FlagKeyPath, value: FlagValue?)] = []
        do {
            for (key, value) in values {
                let before = try provider.storedValue(at: key)
                try provider.setStoredValue(value, at: key)
                former.append((key, before))
            }
            let keys = Set(values.map(\.key))
            for flag in featureFlags where keys.contains(flag.keyPath) {
                if case .broken(let problem, _) = flag.explain().resolution[provider.name] { throw problem }
            }
        } catch {
            for (key, value) in former.reversed() { try provider.setStoredValue(value, at: key) }
            throw error
        }
    }
}
