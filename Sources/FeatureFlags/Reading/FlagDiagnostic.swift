/// Something that is wrong with a flag and that a read can't say, since a read always has a value.
public struct FlagDiagnostic: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// A provider holds no value of the flag's type, or can't read it; the next one was asked.
        ///
        /// `found` is what it holds, where that can be said.
        case brokenValue(found: String?, wanted: String)
        /// A value could not be stored.
        case refusedChange
        /// Two flags have one key path, or one's is a group of the other's.
        case keyCollision
    }

    /// The flag's key path.
    public let flag: FlagKeyPath
    /// The provider's name, where it is a provider's matter.
    public let provider: String?
    /// What is wrong.
    public let kind: Kind
    /// The cause in words.
    public let problem: FlagValueProblem
}

extension FlagDiagnostic: CustomStringConvertible {
    /// The flag, the provider and the cause.
    public var description: String {
        switch kind {
        case .brokenValue: "\(flag.text) in \(provider ?? "a provider") is broken: \(problem)"
        case .refusedChange: "\(flag.text) can't be changed in \(provider ?? "a provider"): \(problem)"
        case .keyCollision: "\(flag.text): \(problem)"
        }
    }
}
