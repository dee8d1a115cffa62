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

/// The flags of a running app, and the providers that they are read from.
package protocol AppFlags: Sendable {
    var featureFlags: [any AnyFlag] { get }
    var providers: [any FlagsProvider] { get }
}

extension FlagsManager: AppFlags {}

/// The flags of loaders without a manager.
///
/// Providers of one name are shown as one.
package struct LoaderFlags: AppFlags {
    private let loaders: [any AnyFlagsLoader]

    package init(_ loaders: [any AnyFlagsLoader]) { self.loaders = loaders }

    package var featureFlags: [any AnyFlag] { loaders.flatMap(\.featureFlags) }

    package var providers: [any FlagsProvider] {
        loaders.flatMap(\.providers).reduce(into: []) { providers, provider in
            if !providers.contains(where: { $0.name == provider.name }) { providers.append(provider) }
        }
    }
}

extension AppFlags {
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

extension AppFlags {
    /// Stores or removes values in a provider, all or none; of several with its name, in that of each flag's loader.
    ///
    /// A value that its flag can't use is refused: a person would think it in force.
    ///
    /// - Throws: The provider's error, or the flag's, for the first value that is refused. The former values are back
    ///   then, unless the provider refuses them too.
    package func setStoredValues(
        _ values: [(key: FlagKeyPath, value: FlagValue?)], in provider: any FlagsProvider
    ) throws {
        let keys = Set(values.map(\.key))
        let flags = featureFlags.filter { keys.contains($0.keyPath) }
        var former: [(key: FlagKeyPath, value: FlagValue?, provider: any FlagsProvider)] = []
        do {
            for (key, value) in values {
                let own = flags.first { $0.keyPath == key }?.placement?.source.providers
                let target = own?.first { $0.name == provider.name } ?? provider
                let before = try target.storedValue(at: key)
                try target.setStoredValue(value, at: key)
                former.append((key, before, target))
            }
            for flag in flags {
                if case .broken(let problem, _) = flag.explain().resolution[provider.name] { throw problem }
            }
        } catch {
            for (key, value, target) in former.reversed() { try target.setStoredValue(value, at: key) }
            throw error
        }
    }
}
