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
