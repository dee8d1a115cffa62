import FeatureFlags
import FlagHistory

/// A change of one flag in one provider, as somebody asks for it.
public struct Change: Hashable, Sendable {
    /// What to do to the flag.
    public enum Action: Hashable, Sendable {
        /// Store what a person typed, read as the flag's type.
        case setText(String)
        /// Store a value.
        case setValue(FlagValue)
        /// Store a value as JSON tells it, read as the flag's type.
        case setJSON(FlagValue)
        /// Remove the provider's value, so that the flag falls back to the next source.
        case reset
    }

    /// The flag.
    public var key: FlagKeyPath
    /// What to do to it.
    public var action: Action
    /// The provider to change; `nil` for the first writable one.
    public var provider: String?
    /// The version that the edit was based on; `nil` where the asker saw none.
    public var revision: FlagRevision?
    /// Why, in the asker's words.
    public var reason: String

    /// Makes a change.
    public init(
        key: FlagKeyPath, action: Action, provider: String? = nil, revision: FlagRevision? = nil, reason: String = ""
    ) {
        self.key = key
        self.action = action
        self.provider = provider
        self.revision = revision
        self.reason = reason
    }
}

/// Who asks for a change, and which way it came in.
public struct ChangeAuthor: Hashable, Sendable {
    /// What somebody may do; each may what the ones before may.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// Reads.
        case viewer
        /// Changes the values of flags that are not locked.
        case editor
        /// Changes definitions and locks, and imports.
        case admin
    }

    /// The name that the history keeps.
    public var name: String
    /// What the author may do.
    public var role: Role
    /// Which way the request came in.
    public var origin: HistoryRecord.Origin
    /// The request's identifier.
    public var requestID: String?

    /// Names an author.
    public init(name: String, role: Role, origin: HistoryRecord.Origin, requestID: String? = nil) {
        self.name = name
        self.role = role
        self.origin = origin
        self.requestID = requestID
    }
}

/// What became of a change.
public enum ChangeOutcome: Hashable, Sendable {
    /// The file and the history hold it.
    case applied(HistoryRecord)
    /// The provider already held just that; nothing was written.
    case unchanged
}
