/// Something that is wrong with a flag or a list of providers and that a read can't say, since a read always has a value.
///
/// ```swift
/// for diagnostic in manager.diagnostics.current {
///     print(diagnostic.flag?.text ?? "all flags", diagnostic.problem)
/// }
/// ```
public struct FlagDiagnostic: Hashable, Sendable {
    /// What is wrong.
    ///
    /// ```swift
    /// for case .brokenValue(let found, let wanted) in manager.diagnostics.current.map(\.kind) {
    ///     print("wanted \(wanted), found \(found ?? "nothing that can be read")")
    /// }
    /// ```
    public enum Kind: Hashable, Sendable {
        /// A provider holds no value of the flag's type, or can't read it; its last good value counts, and where it never held one, the
        /// next provider was asked.
        ///
        /// `found` is what it holds, where that can be said.
        case brokenValue(found: String?, wanted: String)
        /// A value could not be stored.
        case refusedChange
        /// Two flags have one key path, or one's is a group of the other's.
        case keyCollision
        /// The flag's default has no stored form: a read returns it, and a manifest leaves it out.
        case unstorableDefault
        /// A value that the flag's editor is to offer is none that it can have, or has no stored form: a manifest leaves it out.
        case unusableSuggestion
        /// An entry of the flag's ``FlagMetadata/userInfo`` has no stored form: a manifest leaves it out.
        case unstorableUserInfo
        /// Nothing says what the flag's value is stored as, so that a manifest leaves the flag out.
        case unknownType
        /// Two providers of one list have the same name, by which nothing can tell them apart.
        case providerCollision
    }

    /// The flag's key path; `nil` where it is no single flag's matter.
    public let flag: FlagKeyPath?
    /// The provider's name, where it is a provider's matter.
    public let provider: String?
    /// What is wrong.
    public let kind: Kind
    /// The cause in words.
    public let problem: FlagValueError

    package init(flag: FlagKeyPath?, provider: String?, kind: Kind, problem: FlagValueError) {
        self.flag = flag
        self.provider = provider
        self.kind = kind
        self.problem = problem
    }
}

extension FlagDiagnostic {
    /// By flag, then by provider, then by cause.
    static func precedes(_ left: FlagDiagnostic, _ right: FlagDiagnostic) -> Bool {
        let (leftKey, rightKey) = (left.flag?.components ?? [], right.flag?.components ?? [])
        guard leftKey == rightKey else { return leftKey.lexicographicallyPrecedes(rightKey) }
        return (left.provider ?? "", left.problem.description) < (right.provider ?? "", right.problem.description)
    }
}

extension FlagDiagnostic: CustomStringConvertible {
    /// The flag, the provider and the cause.
    public var description: String {
        switch kind {
        case .brokenValue: "\(subject) in \(provider ?? "a provider") is broken: \(problem)"
        case .refusedChange: "\(subject) can't be changed in \(provider ?? "a provider"): \(problem)"
        case .keyCollision, .unstorableDefault, .unusableSuggestion, .unstorableUserInfo, .unknownType,
            .providerCollision:
            "\(subject): \(problem)"
        }
    }

    private var subject: String { flag?.text ?? provider ?? "" }
}
