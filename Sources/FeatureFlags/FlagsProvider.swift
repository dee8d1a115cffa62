/// An ordered source of flag values.
public protocol FlagsProvider: Sendable {
    /// The name that tells this provider from every other one of the same list.
    var name: String { get }

    /// A sentence on where the values come from.
    var shortDescription: String { get }

    /// Whether ``setStoredValue(_:at:)`` is allowed.
    var isWritable: Bool { get }

    /// The value that the provider holds.
    ///
    /// - Parameter key: Where it stands.
    /// - Returns: `nil` where the provider holds none (*absent*).
    /// - Throws: Why the value can't be read (*broken*): never a reason to take it as absent.
    func storedValue(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue?

    /// Stores or removes a value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held, and is no error where none is.
    ///   - key: Where it stands.
    /// - Throws: Where the provider is not writable, or why the value could not be stored; nothing changed then.
    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws
}
