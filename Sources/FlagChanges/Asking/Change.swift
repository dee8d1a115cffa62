import FeatureFlags
import FlagHistory

/// A change of one flag, as somebody asks for it: of its value in one provider, or of its definition.
public struct Change: Hashable, Sendable {
    /// What to do to the flag.
    public enum Action: Hashable, Sendable {
        /// Store what a person typed, read as the flag's type.
        case setText(String)
        /// Store a value.
        case setValue(FlagValue)
        /// Store a value as JSON tells it, read as the flag's type.
        case setJSON(JSONInput)
        /// Store again a value that the history says the provider held, be it one that the flag does not take, or that made
        /// the flag what it was: one that is known by its value alone.
        case putBack(FlagValue)
        /// Remove the provider's value, so that the flag falls back to the next source.
        case reset
        /// Lock the flag in its definition, so that nobody changes its value.
        case lock
        /// Lift the lock.
        case unlock
        /// Define a flag that has no definition; ``DefinitionEdit/definition`` is of the change's key.
        case define(DefinitionEdit)
        /// Change a flag's definition.
        case redefine(DefinitionEdit)
        /// Give the flag's definition a tag, or take one from it.
        case tag(String, isSet: Bool)
        /// Move the flag, with its definition and its values in every provider, to another key path.
        case rename(FlagKeyPath)
        /// Mark the flag as one that nobody should use any more, with the reason for it; `nil` takes the mark away.
        case retire(String?)
        /// Remove the flag's definition, and its values where that is asked for.
        case remove(withValues: Bool)
    }

    /// The flag.
    public var key: FlagKeyPath
    /// What to do to it.
    public var action: Action
    /// The provider to change; `nil` for the first writable one.
    ///
    /// A lock is in no provider: there it isn't looked at.
    public var provider: String?
    /// The versions of the value that the change may be made on, such as the one that an edit was based on; `nil` for
    /// whatever there is.
    ///
    /// A lock has none: there they aren't looked at. Any other change of a definition is based on a version of the
    /// flag's entry in the manifest (``StoredDefinition/revision``).
    public var revisions: [FlagRevision]?
    /// Why, in the asker's words; at most ``longestReason``.
    public var reason: String

    /// How long a reason may be, in UTF-16 code units, as browsers count them.
    public static let longestReason = 1000

    /// Makes a change.
    public init(
        key: FlagKeyPath, action: Action, provider: String? = nil, revision: FlagRevision? = nil, reason: String = ""
    ) {
        self.key = key
        self.action = action
        self.provider = provider
        self.revisions = revision.map { [$0] }
        self.reason = reason
    }
}

extension Change.Action {
    /// Whether it is about the flag's definition, in the manifest, rather than about a value alone.
    package var isAboutDefinition: Bool {
        switch self {
        case .setText, .setValue, .setJSON, .putBack, .reset: false
        case .lock, .unlock, .define, .redefine, .tag, .rename, .retire, .remove: true
        }
    }
}

/// What became of a change.
public enum ChangeOutcome: Hashable, Sendable {
    /// The file and the history hold it.
    case applied(HistoryRecord)
    /// The file already held just that; nothing was written.
    case unchanged
}
