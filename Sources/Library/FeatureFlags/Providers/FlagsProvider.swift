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
/// A provider says what it holds as ``FlagValue``; the flag that is read decodes it. One that keeps its values in a
/// ``FlagValueStore`` has fast reads and is observed without more code.
public protocol FlagsProvider: FlagsProviderConvertible, Sendable {
    /// The name that tells this provider from every other one of the same list.
    var name: String { get }

    /// A sentence on where the values come from.
    var shortDescription: String? { get }

    /// Whether ``setStoredValue(_:at:)`` is allowed.
    var isWritable: Bool { get }

    /// The value that the provider holds.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where the provider holds none (*absent*).
    /// - Throws: Why the value can't be read (*broken*): never a reason to take it as absent.
    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue?

    /// What the provider last held at a key path, newest first, for a flag whose value there is broken: the flag takes the first
    /// of them that is a value of its type, marked as stale.
    ///
    /// A provider with a ``store`` has no need of its own.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values; none where nothing was there, and where the provider remembers none.
    func lastValues(at key: FlagKeyPath) -> [FlagValue]

    /// Stores or removes a value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held, and is no error where none is.
    ///   - key: The key path of the flag.
    /// - Throws: Where the provider is not writable, or why the value could not be stored; nothing changed then.
    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws

    /// The value that the provider holds, as a Swift type.
    ///
    /// A provider has no need of its own: without one, what ``storedValue(at:)`` gives is decoded.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where the provider holds none (*absent*).
    /// - Throws: Why the value can't be read, or what was found and what is wanted (*broken*).
    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value?

    /// Stores or removes the value of a flag.
    ///
    /// A provider has no need of its own: without one, ``setStoredValue(_:at:)`` is given the value's stored form.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Returns: `false` where the provider is not writable.
    /// - Throws: Why the value could not be stored; nothing changed then.
    @discardableResult
    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool

    /// Where the provider's values are kept and tell of their changes; `nil` where it can't tell.
    ///
    /// A provider that names a store gives from it exactly what ``storedValue(at:)`` gives.
    var store: FlagValueStore? { get }

    /// Whether ``value(of:at:)`` gives exactly what decoding the ``store``'s value does; unless the provider says
    /// otherwise, it does where that has no implementation of its own.
    ///
    /// An observer of a flag is then given every value that it had, however late it asks. Where this is `false`, the
    /// provider is asked itself, at each change of its store: the last value is the one that is read, and one that was in
    /// force for a moment may be left out.
    var isReadFromStore: Bool { get }

    /// Where the values come from at this moment and how fresh they are, as a clause that ``Flag/explain()`` prints behind the
    /// provider's answer; `nil` where there is nothing to say.
    var condition: String? { get }

    /// Makes the provider ready: connects, or reads what it keeps.
    ///
    /// - Throws: Why it is not ready.
    func setUp() async throws

    /// Reads again what the provider gets from elsewhere.
    ///
    /// - Throws: Why it could not; the values that were held stay.
    func refresh() async throws

    /// Lets go of what ``setUp()`` took.
    func tearDown() async
}

extension FlagsProvider {
    /// None.
    public var shortDescription: String? { nil }

    /// Decodes what ``storedValue(at:)`` gives.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let marker = PlainReading() as? Value { return marker }
        guard let stored = try storedValue(at: key) else { return nil }
        return try Value.decode(stored)
    }

    /// What the ``store`` remembers; none without one.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { store?.lastValues(at: key) ?? [] }

    /// Hands the value's stored form to ``setStoredValue(_:at:)``.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        guard isWritable else { return false }
        try setStoredValue(Value.storedForm(of: value), at: key)
        return true
    }

    /// None: the provider is asked at each read, and can't tell of changes.
    public var store: FlagValueStore? { nil }

    /// Whether ``value(of:at:)`` has no implementation of its own.
    public var isReadFromStore: Bool {
        let key = FlagKeyPath(components: ["isReadFromStore"])
        guard case .success(.some) = Result(catching: { try value(of: PlainReading.self, at: key) }) else {
            return false
        }
        return true
    }

    /// None: nothing is to be said of the values but what they are.
    public var condition: String? { nil }

    /// Does nothing.
    public func setUp() async throws {}

    /// Does nothing.
    public func refresh() async throws {}

    /// Does nothing.
    public func tearDown() async {}
}

/// The calls of RealFlags' protocol of the same name.
extension FlagsProvider {
    /// The value of a flag, as a Swift type.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The last good value where that of now is broken; `nil` where the provider holds none, or never held one of the type;
    ///   ``value(of:at:)`` tells these apart.
    public func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? {
        switch Result(catching: { try value(of: Value.self, at: key) }) {
        case .success(let value): value
        case .failure: Value.lastGood(among: lastValues(at: key))
        }
    }

    /// Removes the value of a flag.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Throws: Where the provider is not writable, or why the value could not be removed.
    public func resetValueForFlag(key: FlagKeyPath) throws {
        try setStoredValue(nil, at: key)
    }

    /// Every change of what the provider holds, from now on; `nil` where it can't tell.
    public func didUpdateValueForKey() -> AsyncStream<FlagUpdate>? { store?.updates }
}

extension FlagsProvider {
    /// Throws where the provider is not writable.
    package func checkWritable() throws(FlagError) {
        guard isWritable else { throw FlagError(.readOnly(provider: name)) }
    }
}

extension FlagProtocol {
    /// The first of some values, newest first, that is one of the type.
    static func lastGood(among values: [FlagValue]) -> Self? {
        for value in values {
            if case .success(let good) = Result(catching: { try Self.decode(value) }) { return good }
        }
        return nil
    }

    /// What to store for a value; `nil` for none, also of an optional type.
    static func storedForm(of value: Self?) throws(FlagValueError) -> FlagValue? {
        guard let value, (value as? any OptionalFlagValue)?.isNone != true else { return nil }
        return try value.encoded()
    }
}

/// A value that only a provider without a way of its own of reading types gives.
private struct PlainReading: FlagProtocol {
    init() {}

    init?(encoded value: EncodedFlagValue) { nil }

    func encoded() throws(FlagValueError) -> EncodedFlagValue { throw FlagValueError("it is no value of a flag") }
}

/// A source of flags: a provider, or a `UserDefaults`, which is taken as one.
///
/// ```swift
/// let manager = FlagsManager(providers: [local, UserDefaults.standard])
/// let second: any FlagsProvider = UserDefaults.standard.flagsProvider
/// ```
///
/// ``FlagsLoader`` and ``FlagsManager`` take lists of such, and ``Flag`` lists of their types, so that `UserDefaults` and its
/// subclasses, which Foundation does not let conform to ``FlagsProvider``, stand in lists as they do with RealFlags.
public protocol FlagsProviderConvertible: SendableMetatype {
    /// The provider.
    var flagsProvider: any FlagsProvider { get }
}

extension FlagsProvider {
    /// The provider itself.
    public var flagsProvider: any FlagsProvider { self }
}

extension FlagsProvider {
    /// Whether the provider, or the `UserDefaults` that it reads, is of exactly one of some types.
    func isOfType(in types: [any FlagsProviderConvertible.Type]) -> Bool {
        let own: [Any.Type] =
            [type(of: self)] + ((self as? UserDefaultsProvider).map { [$0.userDefaultsType] } ?? [])
        return types.contains { type in own.contains { $0 == type } }
    }
}

/// What a ``DelegateProvider`` forwards to; RealFlags' protocol of the same name.
///
/// ```swift
/// final class AllOn: DelegateProviderProtocol {
///     func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { true as? Value }
///     func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) -> Bool { false }
///     func resetValueForFlag(_ key: FlagKeyPath) {}
/// }
/// ```
///
/// A delegate is called by any thread that reads a flag.
public protocol DelegateProviderProtocol: AnyObject, Sendable {
    /// The value of a flag.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none. Tools that don't know the flag's type ask for a ``FlagValue``.
    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value?

    /// Stores the value of a flag.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Returns: Whether the value was taken.
    /// - Throws: Why it could not be stored.
    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool

    /// Removes the value of a flag.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Throws: Why it could not be removed.
    func resetValueForFlag(_ key: FlagKeyPath) throws
}
