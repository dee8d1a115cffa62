import Foundation
import Synchronization

/// A provider that forwards reads and changes to a delegate; RealFlags' provider of the same name.
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
/// The provider holds its delegate weakly, and asks it for the flag's own type. Without a delegate, the provider has no
/// values and accepts no changes.
public final class DelegateProvider: TypedFlagsProvider {
    private struct State {
        weak var delegate: (any DelegateProviderProtocol)?
        var isWritable: Bool
    }

    /// The provider's unique name.
    public let name: String
    private let state: Mutex<State>

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - delegate: The delegate.
    ///   - isWritable: `true` to allow changes.
    public init(
        name: String = UUID().uuidString, delegate: (any DelegateProviderProtocol)? = nil, isWritable: Bool = true
    ) {
        self.name = name
        state = Mutex(State(delegate: delegate, isWritable: isWritable))
    }

    /// The delegate; `nil` once it is released.
    public var delegate: (any DelegateProviderProtocol)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// `true` if changes are allowed.
    public var isWritable: Bool {
        get { state.withLock { $0.isWritable } }
        set { state.withLock { $0.isWritable = newValue } }
    }

    /// A description of the delegate.
    public var shortDescription: String? { "Values from the app's delegate" }

    /// Returns the delegate's value.
    public func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { delegate?.valueForFlag(key: key) }

    /// Stores a ``FlagValue`` through the delegate, or removes the value.
    ///
    /// - Throws: An error if the provider is read-only, the delegate is gone, or it refuses the value.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        guard let delegate else { throw FlagError(.noDelegate(provider: name)) }
        guard let value else { return try delegate.resetValueForFlag(key) }
        guard try delegate.setValue(value, forFlag: key) else {
            throw FlagError(.notTaken(provider: name, value: value.briefDescription))
        }
    }

    /// Stores or removes a value of the flag's own type through the delegate.
    ///
    /// - Returns: `false` if the provider is read-only, the delegate is gone, or it refuses the value.
    /// - Throws: The delegate's error.
    @discardableResult
    public func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        guard isWritable, let delegate else { return false }
        let isNone = (value as? any OptionalFlagValue)?.isNone == true
        return try delegate.setValue(isNone ? nil : value, forFlag: key)
    }
}
