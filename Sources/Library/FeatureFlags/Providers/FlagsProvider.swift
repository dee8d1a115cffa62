/// An ordered source of flag values.
///
/// ```swift
/// final class TeamProvider: FlagsProvider {
///     let name = "Team"
///     let isWritable = true
///     private let values = FlagValueStore()
///     var store: FlagValueStore? { values }
///
///     func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }
///     func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try values.set(value, at: key) }
/// }
/// ```
///
/// A provider returns ``FlagValue``s, which the flag decodes. If it keeps its values in a ``FlagValueStore``, reads are
/// fast and changes can be observed, without more code.
public protocol FlagsProvider: FlagsProviderConvertible, Sendable {
    /// The provider's name, unique within a list.
    var name: String { get }

    /// A sentence on the origin of the values.
    var shortDescription: String? { get }

    /// `true` if ``setStoredValue(_:at:)`` is allowed.
    var isWritable: Bool { get }

    /// Returns the value that the provider holds.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The value; `nil` for none (*absent*).
    /// - Throws: An error if the value can't be read (*broken*), which must never be reported as absent.
    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue?

    /// Returns the last values at a key path, newest first, for a flag whose value there is broken.
    ///
    /// The flag uses the first of its type, marked as stale. A provider with a ``store`` needs no implementation.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The values; none if the provider remembers none.
    func lastValues(at key: FlagKeyPath) -> [FlagValue]

    /// Returns `true` if a held value overrides a flag: a person set it, and a reset removes it.
    ///
    /// Any other value, such as a remote server's, is the default in force: ``FlagState`` and ``Flag/override`` tell
    /// the two apart. By default, every value of a writable provider is an override.
    func isOverride(at key: FlagKeyPath) -> Bool

    /// Stores or removes a value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one, if any.
    ///   - key: The flag's key path.
    /// - Throws: An error if the provider is read-only or can't store the value. Nothing changes then.
    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws

    /// Returns the value that the provider holds, as a Swift type.
    ///
    /// The default implementation decodes ``storedValue(at:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The flag's key path.
    /// - Returns: The value; `nil` for none (*absent*).
    /// - Throws: An error if the value can't be read or is not of the type (*broken*).
    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value?

    /// Stores or removes the value of a flag.
    ///
    /// The default implementation passes the value's stored form to ``setStoredValue(_:at:)``.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - key: The flag's key path.
    /// - Returns: `false` if the provider is not writable.
    /// - Throws: An error if the value can't be stored. Nothing changes then.
    @discardableResult
    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool

    /// The observable store of the provider's values; `nil` if changes can't be observed.
    ///
    /// Its values are exactly those of ``storedValue(at:)``.
    var store: FlagValueStore? { get }

    /// `true` if ``value(of:at:)`` returns exactly the decoded value of the ``store``.
    ///
    /// By default, `true` if the provider doesn't implement that method. An observer of a flag then receives every
    /// value, however late it reads. If `false`, the provider is read at each change of its store, so short-lived
    /// values may be left out.
    var isReadFromStore: Bool { get }

    /// Returns ``isReadFromStore`` for flags of one type.
    ///
    /// By default, that of all types. Implement it if ``value(of:at:)`` reads only some types in its own way.
    ///
    /// - Parameter type: The type of the flag's value.
    /// - Returns: `true` if values of the type are exactly those of the store.
    func isReadFromStore<Value: FlagProtocol>(as type: Value.Type) -> Bool

    /// `true` if the provider's answers change only when its ``store`` does, or never.
    ///
    /// A value from steady providers is remembered until something changes, and read in nanoseconds. By default, `true`
    /// if the provider has a store. A provider whose values never change should return `true` too.
    var isSteady: Bool { get }

    /// The current origin and freshness of the values, as a clause for ``Flag/explain()``; `nil` for nothing to say.
    var condition: String? { get }

    /// Prepares the provider: connects, or reads cached values.
    ///
    /// - Throws: An error if the provider is not ready.
    func setUp() async throws

    /// Reads the values again from their origin.
    ///
    /// - Throws: An error if that fails; the held values stay.
    func refresh() async throws

    /// Releases what ``setUp()`` acquired.
    func tearDown() async
}

extension FlagsProvider {
    /// No description.
    public var shortDescription: String? { nil }

    /// Decodes ``storedValue(at:)``.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if Value.self == PlainReading.self { return PlainReading() as? Value }
        guard let stored = try storedValue(at: key) else { return nil }
        return try Value.decode(stored)
    }

    /// `true` if the provider is writable.
    public func isOverride(at key: FlagKeyPath) -> Bool { isWritable }

    /// Returns the last values of the ``store``; none without one.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { store?.lastValues(at: key) ?? [] }

    /// Passes the value's stored form to ``setStoredValue(_:at:)``.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        guard isWritable else { return false }
        try setStoredValue(Value.storedForm(of: value), at: key)
        return true
    }

    /// No store: the provider is asked at each read, and changes can't be observed.
    public var store: FlagValueStore? { nil }

    /// `true` if the provider doesn't implement ``value(of:at:)``.
    public var isReadFromStore: Bool {
        let key = FlagKeyPath(components: ["isReadFromStore"])
        guard case .success(.some) = Result(catching: { try value(of: PlainReading.self, at: key) }) else {
            return false
        }
        return true
    }

    /// The property, whatever the type.
    public func isReadFromStore<Value: FlagProtocol>(as type: Value.Type) -> Bool { isReadFromStore }

    /// `true` if the provider has a store.
    public var isSteady: Bool { store != nil }

    /// No condition.
    public var condition: String? { nil }

    /// Does nothing.
    public func setUp() async throws {}

    /// Does nothing.
    public func refresh() async throws {}

    /// Does nothing.
    public func tearDown() async {}
}

extension FlagsProvider {
    /// Returns the value of a flag, or the last good one if it is broken.
    ///
    /// ``FlagsProvider/value(of:at:)`` throws for a broken value.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The flag's key path.
    /// - Returns: The value; `nil` if there is none, or no good one preceded a broken one.
    public func lastGoodValue<Value: FlagProtocol>(of type: Value.Type = Value.self, at key: FlagKeyPath) -> Value? {
        switch Result(catching: { try value(of: type, at: key) }) {
        case .success(let value): value
        case .failure: Value.lastGood(among: lastValues(at: key))
        }
    }

    /// Removes the value of a flag.
    ///
    /// - Parameter key: The flag's key path.
    /// - Throws: An error if the provider is read-only or can't remove the value.
    public func resetValue(at key: FlagKeyPath) throws {
        try setStoredValue(nil, at: key)
    }

    /// Every later change, in order, each once, for one consumer; `nil` if changes can't be observed.
    ///
    /// See ``FlagValueStore/updates``.
    public var updates: AsyncStream<FlagUpdate>? { store?.updates }
}

extension FlagsProvider {
    package func checkWritable() throws(FlagError) {
        guard isWritable else { throw FlagError(.readOnly(provider: name)) }
    }
}

extension FlagProtocol {
    /// Returns the first value that is of the type.
    static func lastGood(among values: [FlagValue]) -> Self? {
        for value in values {
            if case .success(let good) = Result(catching: { try Self.decode(value) }) { return good }
        }
        return nil
    }

    /// Returns the value to store; `nil` for an optional's `nil`.
    static func storedForm(of value: Self?) throws(FlagValueError) -> FlagValue? {
        guard let value, (value as? any OptionalFlagValue)?.isNone != true else { return nil }
        return try value.encoded()
    }
}

/// A probe that only the default implementation of ``FlagsProvider/value(of:at:)`` returns.
private struct PlainReading: FlagProtocol {
    init() {}

    init?(encoded value: FlagValue) { nil }

    func encoded() throws(FlagValueError) -> FlagValue { throw FlagValueError("it can't be the value of a flag") }
}

/// A provider, or a `UserDefaults` that makes one.
///
/// ```swift
/// let manager = FlagsManager(providers: [local, UserDefaults.standard])
/// let second: any FlagsProvider = UserDefaults.standard.flagsProvider
/// ```
///
/// Foundation's `UserDefaults` can't conform to ``FlagsProvider``. With this protocol, it and
/// its subclasses can be in the lists of ``FlagsLoader``, ``FlagsManager`` and ``Flag``, as in RealFlags.
public protocol FlagsProviderConvertible: SendableMetatype {
    /// The provider.
    var flagsProvider: any FlagsProvider { get }
}

extension FlagsProvider {
    /// The provider itself.
    public var flagsProvider: any FlagsProvider { self }
}

extension FlagsProvider {
    /// Compares the exact type of the provider, or of its `UserDefaults`.
    func isOfType(in types: [any FlagsProviderConvertible.Type]) -> Bool {
        let own: [Any.Type] =
            [type(of: self)] + ((self as? UserDefaultsProvider).map { [$0.userDefaultsType] } ?? [])
        return types.contains { type in own.contains { $0 == type } }
    }
}

/// The delegate of a ``DelegateProvider``; RealFlags' protocol of the same name.
///
/// ```swift
/// final class AllOn: DelegateProviderProtocol {
///     func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { true as? Value }
///     func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) -> Bool { false }
///     func resetValueForFlag(_ key: FlagKeyPath) {}
/// }
/// ```
///
/// Any thread that reads a flag calls the delegate.
public protocol DelegateProviderProtocol: AnyObject, Sendable {
    /// Returns the value of a flag.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The value; `nil` for none. Tools that don't know the flag's type ask for a ``FlagValue``.
    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value?

    /// Stores the value of a flag.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - key: The flag's key path.
    /// - Returns: `true` if the value was accepted.
    /// - Throws: An error if the value can't be stored.
    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool

    /// Removes the value of a flag.
    ///
    /// - Parameter key: The flag's key path.
    /// - Throws: An error if the value can't be removed.
    func resetValueForFlag(_ key: FlagKeyPath) throws
}
