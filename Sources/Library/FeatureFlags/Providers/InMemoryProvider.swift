/// A provider of flags in memory.
///
/// ```swift
/// let memory = InMemoryProvider(values: ["delivery": ["fee": 3.5]])
/// let flags = FlagsLoader(ShopFlags.self, providers: [memory])
/// print(flags.delivery.fee)  // 3.5
/// ```
///
/// It serves as ToggleUI's `InMemoryToggleProvider` and, read-only and empty, as its `DefaultToggleProvider`.
public final class InMemoryProvider: FlagsProvider {
    /// The provider's unique name.
    public let name: String
    /// `true` if changes are allowed.
    public let isWritable: Bool
    private let values: FlagValueStore

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - values: The values, nested by key path.
    ///   - isWritable: `true` to allow changes.
    public init(name: String = "In memory", values: [String: FlagValue] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        self.values = FlagValueStore(values)
    }

    /// Creates a provider of Foundation or Swift values.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - dictionary: Booleans, numbers, strings, dates, data, URLs, other ``FlagProtocol`` values, and arrays and
    ///     dictionaries of these.
    ///   - isWritable: `true` to allow changes.
    /// - Throws: An error with the place of the first entry of another type.
    public convenience init(
        name: String = "In memory", dictionary: [String: Any], isWritable: Bool = true
    ) throws(FlagValueError) {
        self.init(name: name, values: try FlagValue.entries(foundation: dictionary), isWritable: isWritable)
    }

    /// A description of values in memory.
    public var shortDescription: String? { "Values in memory, gone when the process ends" }

    /// The values.
    public var store: FlagValueStore? { values }

    /// Returns the held value.
    ///
    /// - Throws: An error if a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Stores or removes a value.
    ///
    /// - Throws: An error if the provider is read-only, or a component above the last is not a dictionary. Nothing
    ///   changes then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        try values.set(value, at: key)
    }

    /// Replaces all values, even of a read-only provider.
    ///
    /// - Parameter values: The new values, nested by key path.
    public func replaceValues(with values: [String: FlagValue]) {
        self.values.replace(with: values)
    }
}

/// A read-only wrapper of any provider.
///
/// ```swift
/// let team = ReadOnlyProvider(LocalProvider(localURL: URL(fileURLWithPath: "team.xml"), name: "Team"))
/// let manager = FlagsManager(providers: [local, team])
/// ```
///
/// It has the wrapped provider's name, reads and changes.
public final class ReadOnlyProvider: FlagsProvider {
    /// The wrapped provider.
    public let wrapped: any FlagsProvider
    private let joined: JoinedStores?

    /// Wraps a provider.
    ///
    /// - Parameter provider: The provider to read.
    public init(_ provider: any FlagsProvider) {
        wrapped = provider
        joined = provider.store.map { JoinedStores([$0]) }
    }

    /// The wrapped provider's name.
    public var name: String { wrapped.name }

    /// The wrapped provider's description.
    public var shortDescription: String? { wrapped.shortDescription }

    /// Always `false`.
    public var isWritable: Bool { false }

    /// A read-only copy of the wrapped provider's store, if it has one.
    public var store: FlagValueStore? { joined?.store }

    /// The wrapped provider's property.
    public var isReadFromStore: Bool { wrapped.isReadFromStore }

    /// The wrapped provider's answer.
    public func isReadFromStore<Value: FlagProtocol>(as type: Value.Type) -> Bool { wrapped.isReadFromStore(as: type) }

    /// The wrapped provider's property.
    public var isSteady: Bool { wrapped.isSteady }

    /// The wrapped provider's condition.
    public var condition: String? { wrapped.condition }

    /// Returns the wrapped provider's value, or throws its error.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try wrapped.storedValue(at: key)
    }

    /// Returns the wrapped provider's value as it reads the type, or throws its error.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        try wrapped.value(of: type, at: key)
    }

    /// Returns the wrapped provider's last values.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { wrapped.lastValues(at: key) }

    /// Always throws, as the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Prepares the wrapped provider.
    ///
    /// - Throws: The provider's error.
    public func setUp() async throws { try await wrapped.setUp() }

    /// Refreshes the wrapped provider.
    ///
    /// - Throws: The provider's error.
    public func refresh() async throws { try await wrapped.refresh() }

    /// Tears down the wrapped provider.
    public func tearDown() async { await wrapped.tearDown() }
}
