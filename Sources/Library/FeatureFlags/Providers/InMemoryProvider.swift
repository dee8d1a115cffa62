/// Flags in memory, gone when the process ends.
///
/// ```swift
/// let memory = InMemoryProvider(values: ["delivery": ["fee": 3.5]])
/// let flags = FlagsLoader(ShopFlags.self, providers: [memory])
/// print(flags.delivery.fee)  // 3.5
/// ```
///
/// What ToggleUI's `InMemoryToggleProvider` and, read-only and empty, its `DefaultToggleProvider` are for.
public final class InMemoryProvider: FlagsProvider {
    /// The name that tells this provider from the others.
    public let name: String
    /// Whether changes are allowed.
    public let isWritable: Bool
    private let values: FlagValueStore

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - values: The values, nested by key path.
    ///   - isWritable: Whether changes are allowed.
    public init(name: String = "In memory", values: [String: FlagValue] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        self.values = FlagValueStore(values)
    }

    /// Makes a provider of what Foundation reads from a property list or from JSON, or of Swift values.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - dictionary: Booleans, numbers, texts, dates, data, URLs, other ``FlagProtocol`` values, and arrays and
    ///     dictionaries of these.
    ///   - isWritable: Whether changes are allowed.
    /// - Throws: The place of the first entry that is none of these.
    public convenience init(
        name: String = "In memory", dictionary: [String: Any], isWritable: Bool = true
    ) throws(FlagValueError) {
        self.init(name: name, values: try FlagValue.entries(foundation: dictionary), isWritable: isWritable)
    }

    /// Values in memory.
    public var shortDescription: String? { "Values in memory, gone when the process ends" }

    /// The values.
    public var store: FlagValueStore? { values }

    /// The value that is held.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Stores or removes a value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Throws: Where the provider is not writable, or a component above the last is no dictionary; nothing changed then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        try values.set(value, at: key)
    }

    /// Replaces all values, writable or not: what flags are read from, rather than how one is changed.
    ///
    /// - Parameter values: The new values, nested by key path.
    public func replaceValues(with values: [String: FlagValue]) {
        self.values.replace(with: values)
    }
}

/// Any provider, made read-only.
///
/// ```swift
/// let team = ReadOnlyProvider(LocalProvider(localURL: URL(fileURLWithPath: "team.xml"), name: "Team"))
/// let manager = FlagsManager(providers: [local, team])
/// ```
///
/// It has the wrapped one's name, reads as that does and tells of its changes.
public final class ReadOnlyProvider: FlagsProvider {
    /// What is read.
    public let wrapped: any FlagsProvider
    private let joined: JoinedStores?

    /// Wraps a provider.
    ///
    /// - Parameter provider: What to read.
    public init(_ provider: any FlagsProvider) {
        wrapped = provider
        joined = provider.store.map { JoinedStores([$0]) }
    }

    /// The wrapped provider's.
    public var name: String { wrapped.name }

    /// The wrapped provider's.
    public var shortDescription: String? { wrapped.shortDescription }

    /// Never.
    public var isWritable: Bool { false }

    /// What the wrapped provider holds, where it tells of changes; it can't be changed itself.
    public var store: FlagValueStore? { joined?.store }

    /// Whether the wrapped provider is.
    public var isReadFromStore: Bool { wrapped.isReadFromStore }

    /// The wrapped provider's.
    public var condition: String? { wrapped.condition }

    /// The wrapped provider's value.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why it can't be read.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try wrapped.storedValue(at: key)
    }

    /// The wrapped provider's value, in its way of reading the type.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why it can't be read.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        try wrapped.value(of: type, at: key)
    }

    /// What the wrapped provider last held.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values, newest first.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { wrapped.lastValues(at: key) }

    /// Refuses.
    ///
    /// - Parameters:
    ///   - value: Any value, or `nil`.
    ///   - key: Any key path.
    /// - Throws: That the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Makes the wrapped provider ready.
    ///
    /// - Throws: Why it is not ready.
    public func setUp() async throws { try await wrapped.setUp() }

    /// Has the wrapped provider read again.
    ///
    /// - Throws: Why it could not.
    public func refresh() async throws { try await wrapped.refresh() }

    /// Has the wrapped provider let go of what it took.
    public func tearDown() async { await wrapped.tearDown() }
}
