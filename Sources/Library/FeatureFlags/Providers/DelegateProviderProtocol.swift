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
