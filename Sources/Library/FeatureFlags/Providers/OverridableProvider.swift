/// A provider, and a second one on top that overrides it; ToggleUI's `OverridableToggleProvider`.
///
/// ```swift
/// let pair = OverridableProvider(provider: local, override: InMemoryProvider())
/// let flags = FlagsLoader(ShopFlags.self, providers: [pair])
/// try flags.$paymentRetries.set(5, in: pair.name)  // in memory; the file stays as it is
/// ```
///
/// A read asks the override first. Every change goes to the override; the other provider is never written.
///
/// If the override's value is *broken*, so is the pair's. To fall back to the other provider when there is no last good
/// value, put both into a loader's list instead. Observers of flags receive the changes that either provider reports;
/// the pair has a ``store`` if both have one.
public final class OverridableProvider: FlagsProvider {
    /// The pair's unique name.
    public let name: String
    /// The overridden provider.
    public let provider: any FlagsProvider
    /// The provider that is read first and written.
    public let override: any FlagsProvider
    private let joined: JoinedStores?

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - name: The pair's unique name; by default the overridden provider's.
    ///   - provider: The overridden provider.
    ///   - override: The provider that is read first and written.
    public init(name: String? = nil, provider: any FlagsProvider, override: any FlagsProvider) {
        self.name = name ?? provider.name
        self.provider = provider
        self.override = override
        joined =
            if let first = override.store, let second = provider.store { JoinedStores([first, second]) } else { nil }
    }

    /// A description with both names.
    public var shortDescription: String? { "\(provider.name), overridden by \(override.name)" }

    /// `true` if the override is writable.
    public var isWritable: Bool { override.isWritable }

    /// The read-only merged values of both stores; `nil` unless both providers have one.
    public var store: FlagValueStore? { joined?.store }

    /// `true` if both providers are read from their stores.
    public var isReadFromStore: Bool { override.isReadFromStore && provider.isReadFromStore }

    /// `true` if both providers read the type from their stores.
    public func isReadFromStore<Value: FlagProtocol>(as type: Value.Type) -> Bool {
        override.isReadFromStore(as: type) && provider.isReadFromStore(as: type)
    }

    /// `true` if both providers are steady.
    public var isSteady: Bool { override.isSteady && provider.isSteady }

    /// The conditions of both providers.
    public var condition: String? {
        let conditions = [override, provider].compactMap { each in each.condition.map { "\(each.name): \($0)" } }
        return conditions.isEmpty ? nil : conditions.joined(separator: "; ")
    }

    /// Returns the override's value; if it has none, the other provider's.
    ///
    /// - Throws: An error if the first value that is not *absent* can't be read.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let value = try override.storedValue(at: key) { return value }
        return try provider.storedValue(at: key)
    }

    /// Returns the override's value; if it has none, the other provider's.
    ///
    /// Each reads the type in its own way.
    ///
    /// - Throws: An error if the first value that is not *absent* can't be read.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value = try override.value(of: type, at: key) { return value }
        return try provider.value(of: type, at: key)
    }

    /// Returns the override's last values; if it has none, the other provider's.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        let last = override.lastValues(at: key)
        return last.isEmpty ? provider.lastValues(at: key) : last
    }

    /// Returns `true` if the override holds a value, or can't be read.
    public func isOverride(at key: FlagKeyPath) -> Bool {
        switch Result(catching: { () throws(FlagValueError) in try override.storedValue(at: key) }) {
        case .success(nil): provider.isOverride(at: key)
        case .success, .failure: true
        }
    }

    /// Stores or removes a value in the override.
    ///
    /// - Throws: An error if the override is read-only or can't store the value. Nothing changes then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try override.setStoredValue(value, at: key)
    }

    /// Stores or removes a value in the override, as it stores the type.
    ///
    /// - Returns: `false` if the override is read-only or refuses the value.
    /// - Throws: An error if the value can't be stored. Nothing changes then.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        try override.setValue(value, forFlag: key)
    }

    /// Returns `true` if the override holds a value.
    ///
    /// - Throws: An error if the override can't be read.
    public func hasOverride(at key: FlagKeyPath) throws(FlagValueError) -> Bool {
        try override.storedValue(at: key) != nil
    }

    /// Removes values from the override.
    ///
    /// - Parameter keys: Their key paths; those without a value are ignored.
    /// - Throws: The first error, after the other values have been removed.
    public func resetOverrides(at keys: [FlagKeyPath]) throws {
        let problems = keys.compactMap { key in Self.problem { try override.setStoredValue(nil, at: key) } }
        if let first = problems.first { throw first }
    }

    /// Prepares both providers.
    ///
    /// - Throws: The first error, after both have been tried.
    public func setUp() async throws {
        try await both { try await $0.setUp() }
    }

    /// Refreshes both providers.
    ///
    /// - Throws: The first error, after both have been tried.
    public func refresh() async throws {
        try await both { try await $0.refresh() }
    }

    /// Tears down both providers.
    public func tearDown() async {
        await override.tearDown()
        await provider.tearDown()
    }

    private func both(_ action: (any FlagsProvider) async throws -> Void) async throws {
        let first: (any Error)?
        do {
            try await action(override)
            first = nil
        } catch {
            first = error
        }
        try await action(provider)
        if let first { throw first }
    }

    private static func problem(_ action: () throws -> Void) -> (any Error)? {
        do {
            try action()
            return nil
        } catch {
            return error
        }
    }
}
