/// A provider and the one that overrides it; ToggleUI's `OverridableToggleProvider`.
///
/// ```swift
/// let pair = OverridableProvider(provider: local, override: InMemoryProvider())
/// let flags = FlagsLoader(ShopFlags.self, providers: [pair])
/// try flags.$paymentRetries.set(5, in: pair.name)  // in memory; the file stays as it is
/// ```
///
/// A read asks the override first, and every change goes to the override, so that the other is never written. Where what
/// the override holds is *broken*, so is the pair's value: put both into a loader's list instead to have the next one
/// asked where the override never held a good one. The pair tells of changes (``store``) where both do.
public final class OverridableProvider: FlagsProvider {
    /// The name that tells the pair from other providers.
    public let name: String
    /// What is overridden.
    public let provider: any FlagsProvider
    /// What is asked first and written.
    public let override: any FlagsProvider
    private let joined: JoinedStores?

    /// Makes a pair.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from other providers; the overridden one's where `nil`.
    ///   - provider: What is overridden.
    ///   - override: What is asked first and written.
    public init(name: String? = nil, provider: any FlagsProvider, override: any FlagsProvider) {
        self.name = name ?? provider.name
        self.provider = provider
        self.override = override
        joined =
            if let first = override.store, let second = provider.store { JoinedStores([first, second]) } else { nil }
    }

    /// What overrides what.
    public var shortDescription: String? { "\(provider.name), overridden by \(override.name)" }

    /// Whether the override is.
    public var isWritable: Bool { override.isWritable }

    /// What the two hold together, where both tell of changes; it can't be changed itself.
    public var store: FlagValueStore? { joined?.store }

    /// Whether both are.
    public var isReadFromStore: Bool { override.isReadFromStore && provider.isReadFromStore }

    /// What the two say of themselves.
    public var condition: String? {
        let conditions = [override, provider].compactMap { each in each.condition.map { "\(each.name): \($0)" } }
        return conditions.isEmpty ? nil : conditions.joined(separator: "; ")
    }

    /// The override's value, else the other's.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where neither holds one.
    /// - Throws: Why the first of them that does not answer *absent* can't be read.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let value = try override.storedValue(at: key) { return value }
        return try provider.storedValue(at: key)
    }

    /// The override's value, else the other's, each in its own way of reading the type.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where neither holds one.
    /// - Throws: Why the first of them that does not answer *absent* can't be read.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value = try override.value(of: type, at: key) { return value }
        return try provider.value(of: type, at: key)
    }

    /// What the override last held, else what the other did.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values, newest first.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        let last = override.lastValues(at: key)
        return last.isEmpty ? provider.lastValues(at: key) : last
    }

    /// Stores or removes a value in the override.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the override's.
    ///   - key: The key path of the flag.
    /// - Throws: Where the override is not writable, or why the value could not be stored; nothing changed then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try override.setStoredValue(value, at: key)
    }

    /// Stores or removes a value in the override, in its own way of storing the type.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the override's.
    ///   - key: The key path of the flag.
    /// - Returns: `false` where the override is not writable, or did not take the value.
    /// - Throws: Why the value could not be stored; nothing changed then.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        try override.setValue(value, forFlag: key)
    }

    /// Whether the override holds a value.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `true` where it does.
    /// - Throws: Why the override can't be read.
    public func hasOverride(at key: FlagKeyPath) throws(FlagValueError) -> Bool {
        try override.storedValue(at: key) != nil
    }

    /// Removes the override's values.
    ///
    /// - Parameter keys: Where they stand; those that hold none are no error.
    /// - Throws: The first problem, after the others have been removed.
    public func resetOverrides(at keys: [FlagKeyPath]) throws {
        let problems = keys.compactMap { key in Self.problem { try override.setStoredValue(nil, at: key) } }
        if let first = problems.first { throw first }
    }

    /// Makes both ready.
    ///
    /// - Throws: The first problem; the other one is made ready all the same.
    public func setUp() async throws {
        try await both { try await $0.setUp() }
    }

    /// Has both read again.
    ///
    /// - Throws: The first problem; the other one is read all the same.
    public func refresh() async throws {
        try await both { try await $0.refresh() }
    }

    /// Has both let go of what they took.
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
