/// A change of what one provider holds for one declared flag.
///
/// ```swift
/// for await change in manager.changes {
///     print(change.keyPath, "in", change.provider, "is now", change.value ?? "by default")
/// }
/// ```
public struct FlagChange: Hashable, Sendable {
    /// The flag's key path.
    public let keyPath: FlagKeyPath
    /// The provider's name.
    public let provider: String
    /// What the provider holds after the change; `nil` where it holds none any more, or it can't be read.
    public let value: FlagValue?
    /// Why it can't be read; `nil` where it can.
    public let problem: FlagValueError?
}

extension FlagChange: CustomStringConvertible {
    /// The flag, the provider and the value.
    public var description: String {
        let value = problem?.description ?? value?.briefDescription ?? "none"
        return "\(keyPath.text) in \(provider): \(value)"
    }
}
