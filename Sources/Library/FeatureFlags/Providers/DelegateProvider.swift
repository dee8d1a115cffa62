import Foundation
import Synchronization

/// Forwards reads and changes to a delegate; RealFlags' provider of the same name.
///
/// ```swift
/// final class Settings: DelegateProviderProtocol {
///     func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { true as? Value }
///     func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) -> Bool { false }
///     func resetValueForFlag(_ key: FlagKeyPath) {}
/// }
///
/// let settings = Settings()
/// let provider = DelegateProvider(name: "Settings", delegate: settings)
/// ```
///
/// The delegate is asked for the flag's own type, and held weakly: without one, nothing is held and nothing is taken.
public final class DelegateProvider: FlagsProvider {
    private struct State {
        weak var delegate: (any DelegateProviderProtocol)?
        var isWritable: Bool
    }

    /// The name that tells this provider from the others.
    public let name: String
    private let state: Mutex<State>

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - delegate: What to forward to.
    ///   - isWritable: Whether changes are allowed.
    public init(
        name: String = UUID().uuidString, delegate: (any DelegateProviderProtocol)? = nil, isWritable: Bool = true
    ) {
        self.name = name
        state = Mutex(State(delegate: delegate, isWritable: isWritable))
    }

    /// What is forwarded to; `nil` where it is gone.
    public var delegate: (any DelegateProviderProtocol)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Whether changes are allowed.
    public var isWritable: Bool {
        get { state.withLock { $0.isWritable } }
        set { state.withLock { $0.isWritable = newValue } }
    }

    /// That there is a delegate.
    public var shortDescription: String? { "Values that the app's delegate gives" }

    /// The delegate's value, asked for as a ``FlagValue``.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where the delegate gives none.
    /// - Throws: Nothing: a delegate has no way of saying that a value can't be read.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        delegate?.valueForFlag(key: key)
    }

    /// The delegate's value, asked for as the flag's own type, and where it gives none, as a ``FlagValue``: so that one of
    /// another type is no absent one.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where the delegate gives none, also for an optional type.
    /// - Throws: What was found and what is wanted.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value: Value = delegate?.valueForFlag(key: key), (value as? any OptionalFlagValue)?.isNone != true {
            return value
        }
        return try storedValue(at: key).map(Value.decode)
    }

    /// Has the delegate store a ``FlagValue``, or remove the value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Throws: Where the provider is not writable, the delegate is gone, or it did not take the value.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        guard let delegate else { throw FlagError(.noDelegate(provider: name)) }
        guard let value else { return try delegate.resetValueForFlag(key) }
        guard try delegate.setValue(value, forFlag: key) else {
            throw FlagError(.notTaken(provider: name, value: value.briefDescription))
        }
    }

    /// Has the delegate store or remove a value of the flag's own type.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Returns: `false` where the provider is not writable, the delegate is gone, or it did not take the value.
    /// - Throws: Why the delegate could not store the value.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        guard isWritable, let delegate else { return false }
        let isNone = (value as? any OptionalFlagValue)?.isNone == true
        return try delegate.setValue(isNone ? nil : value, forFlag: key)
    }
}
