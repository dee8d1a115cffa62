/// A provider that reads and stores values of the flags' own Swift types, by the two methods of a RealFlags provider.
///
/// ```swift
/// final class AllOn: TypedFlagsProvider {
///     let name = "All on"
///     let isWritable = false
///     func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { true as? Value }
///     func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool { false }
/// }
/// ```
///
/// It can't report a value as *broken*: a new provider implements ``FlagsProvider`` instead.
public protocol TypedFlagsProvider: FlagsProvider {
    /// Returns the value of a flag.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The value; `nil` for none. Tools that don't know the flag's type ask for a ``FlagValue``.
    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value?

    /// Stores or removes the value of a flag.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one. Tools that don't know the flag's type pass a
    ///     ``FlagValue``.
    ///   - key: The flag's key path.
    /// - Returns: `true` if the value was accepted.
    /// - Throws: An error if the value can't be stored.
    @discardableResult
    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool
}

extension TypedFlagsProvider {
    /// Returns the value, asked for as a ``FlagValue``.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { valueForFlag(key: key) }

    /// Returns the value, asked for as the flag's own type and then as a ``FlagValue``.
    ///
    /// The second attempt distinguishes a value of another type from an absent one.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value: Value = valueForFlag(key: key), (value as? any OptionalFlagValue)?.isNone != true {
            return value
        }
        return try storedValue(at: key).map(Value.decode)
    }

    /// `false`: a typed value may have no stored form.
    public var isReadFromStore: Bool { false }

    /// Stores or removes a ``FlagValue`` by ``setValue(_:forFlag:)``.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        guard try setValue(value, forFlag: key) else {
            throw FlagError(.notTaken(provider: name, value: value?.briefDescription))
        }
    }

    /// Not available: the provider implements it.
    @available(*, unavailable, message: "a TypedFlagsProvider implements this method")
    public func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { nil }

    /// Not available: the provider implements it.
    @available(*, unavailable, message: "a TypedFlagsProvider implements this method")
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool { false }
}
