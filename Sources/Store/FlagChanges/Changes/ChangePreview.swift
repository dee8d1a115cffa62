import FeatureFlags
import FlagHistory

/// What a change would do, or would have done.
public struct ChangePreview: Hashable, Sendable {
    /// The change.
    public let change: Change
    /// The provider that it goes to; `nil` for one of the definition, or where there is no such provider.
    public let provider: String?
    /// What is stored before it: the provider's value, or the definition's entry in the manifest.
    ///
    /// It is `nil` where there is none, and where the flag can't be seen or its value can't be read.
    public let before: FlagValue?
    /// What is stored after it; `nil` where nothing is, or where the change is refused.
    public let after: FlagValue?
    /// Why the change is refused; `nil` where it isn't.
    public let refusal: ChangeError?
    /// What ``before`` and ``after`` are values of; `nil` where that isn't known.
    public let type: FlagType?

    /// The parts of an array or a dictionary that become another kind of value.
    public var retyped: [RetypedPart] { isOfValue ? RetypedPart.parts(of: after, since: before) : [] }
    private var isOfValue: Bool { refusal == nil && change.action.isAboutValue }

    /// Whether the change is allowed and leaves everything as it is.
    public var changesNothing: Bool { refusal == nil && before == after && change.action.settledSide == nil }

    /// Makes a preview.
    public init(
        change: Change, provider: String?, before: FlagValue?, after: FlagValue?, refusal: ChangeError? = nil,
        type: FlagType? = nil
    ) {
        self.change = change
        self.provider = provider
        self.before = before
        self.after = after
        self.refusal = refusal
        self.type = type
    }
}

/// Why changes that were to be applied together were not: none of them took place, unless the cause says so.
public struct BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Each change in its order: why it is refused, or what it would have done; empty where something stands in the way of
    /// all of them.
    public let changes: [ChangePreview]
    /// The first change's refusal, or what keeps all of them from being made.
    public let cause: ChangeError

    /// Makes a refusal.
    public init(changes: [ChangePreview], cause: ChangeError) {
        self.changes = changes
        self.cause = cause
    }

    /// Whether something was changed after the changes were worked out, and nothing else is wrong with them.
    var isOutdated: Bool { cause == .outdated }

    /// What is wrong with each change that is refused, or what keeps all of them from being made.
    public var description: String {
        let refusals = changes.compactMap(\.refusal)
        return refusals.isEmpty ? cause.description : refusals.map(\.description).joined(separator: "\n")
    }
}
