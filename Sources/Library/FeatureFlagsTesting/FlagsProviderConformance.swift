import FeatureFlags
import Testing

/// What every provider must do, as expectations of Swift Testing.
///
/// ```swift
/// @Test func conforms() async throws {
///     try await FlagsProviderConformance.check { InMemoryProvider() }
/// }
/// ```
///
/// A failed expectation is an issue of the test that calls, and its text says which rule is broken.
public enum FlagsProviderConformance {
    /// What a provider can't do and says so.
    ///
    /// ```swift
    /// let limits = FlagsProviderConformance.Limits(hasFlatKeys: true) { value in
    ///     if case .date = value { false } else { true }
    /// }
    /// try await FlagsProviderConformance.check(limits) { UserDefaultsProvider(keyPrefix: "\(UUID())/") }
    /// ```
    public struct Limits: Sendable {
        /// Whether the provider can hold a value.
        ///
        /// One that it can't hold must be refused, not changed.
        public var holds: @Sendable (FlagValue) -> Bool
        /// Whether each key path has one flat key, so that no group can be read, and two paths whose texts join to the
        /// same are the same.
        public var hasFlatKeys: Bool

        /// Describes a provider; one without limits, where nothing is said.
        ///
        /// - Parameters:
        ///   - hasFlatKeys: Whether each key path has one flat key.
        ///   - holds: Whether the provider can hold a value.
        public init(hasFlatKeys: Bool = false, holds: @escaping @Sendable (FlagValue) -> Bool = { _ in true }) {
            self.holds = holds
            self.hasFlatKeys = hasFlatKeys
        }
    }

    /// Checks a provider that can be written.
    ///
    /// - Parameters:
    ///   - limits: What the provider can't do.
    ///   - sourceLocation: Where issues are reported.
    ///   - makeProvider: Makes a provider that holds nothing and shares nothing with those made before; called for each
    ///     rule.
    /// - Throws: What the provider throws where it must not.
    public static func check<Provider: FlagsProvider>(
        _ limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation,
        _ makeProvider: () async throws -> Provider
    ) async throws {
        let rules: [(WritableRules<Provider>) async throws -> Void] = [
            { try $0.absence() }, { try $0.kinds() }, { try $0.brokenness() }, { try $0.typedCalls() },
            { try $0.nesting() }, { try $0.oddComponents() }, { try $0.replacing() }, { try $0.blocking() },
            { try await $0.telling() }, { try await $0.concurrency() },
        ]
        for rule in rules {
            let provider = try await makeProvider()
            try await provider.setUp()
            try await rule(WritableRules(provider: provider, limits: limits, location: sourceLocation))
            await provider.tearDown()
        }
    }

    /// Checks a provider that can't be written.
    ///
    /// - Parameters:
    ///   - seed: What the provider holds: at least one value, by key path, and nothing else.
    ///   - sourceLocation: Where issues are reported.
    ///   - makeProvider: Makes a provider of the seed.
    /// - Throws: What the provider throws where it must not.
    public static func checkReadOnly(
        holding seed: [FlagKeyPath: FlagValue], sourceLocation: SourceLocation = #_sourceLocation,
        _ makeProvider: () async throws -> some FlagsProvider
    ) async throws {
        let provider = try await makeProvider()
        try await provider.setUp()
        try await ReadOnlyRules(provider: provider, seed: seed, location: sourceLocation).check()
        await provider.tearDown()
    }
}
