import FeatureFlags
import Testing

/// The rules for all providers, as expectations of Swift Testing.
///
/// ```swift
/// @Test func conforms() async throws {
///     try await FlagsProviderConformance.check { InMemoryProvider() }
/// }
/// ```
///
/// A failed expectation is an issue of the calling test, and its text gives the broken rule.
public enum FlagsProviderConformance {
    /// The declared limits of a provider.
    ///
    /// ```swift
    /// let limits = FlagsProviderConformance.Limits(hasFlatKeys: true) { value in
    ///     if case .date = value { false } else { true }
    /// }
    /// try await FlagsProviderConformance.check(limits) { UserDefaultsProvider(keyPrefix: "\(UUID())/") }
    /// ```
    public struct Limits: Sendable {
        /// Returns `true` for values that the provider can hold.
        ///
        /// It must refuse others, not change them.
        public var holds: @Sendable (FlagValue) -> Bool
        /// `true` if key paths are flat keys: no group can be read, and two paths with the same joined text are the
        /// same.
        public var hasFlatKeys: Bool

        /// Creates limits; by default none.
        ///
        /// - Parameters:
        ///   - hasFlatKeys: `true` if key paths are flat keys.
        ///   - holds: Returns `true` for values that the provider can hold.
        public init(hasFlatKeys: Bool = false, holds: @escaping @Sendable (FlagValue) -> Bool = { _ in true }) {
            self.holds = holds
            self.hasFlatKeys = hasFlatKeys
        }
    }

    /// Checks a writable provider.
    ///
    /// - Parameters:
    ///   - limits: The limits of the provider.
    ///   - sourceLocation: The place for issues.
    ///   - makeProvider: Creates an empty provider, independent of earlier ones, for each rule.
    /// - Throws: Any unexpected error of the provider.
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

    /// Checks a read-only provider.
    ///
    /// - Parameters:
    ///   - seed: All values of the provider by key path, at least one.
    ///   - sourceLocation: The place for issues.
    ///   - makeProvider: Creates a provider of the seed.
    /// - Throws: Any unexpected error of the provider.
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
