import FlagHistory

/// Who asks for a change, and which way it came in.
public struct ChangeAuthor: Hashable, Sendable {
    /// What an author may do; each may what the ones before may.
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
    /// What the author calls the request, so that a repetition is recognised; `nil` where it is none to be recognised.
    ///
    /// The first success is the answer: a later request of the same author with the same key and the same changes gets
    /// the rows of then, or that there was nothing to do then, whatever the flags are now, also after a restart. With
    /// other changes it is refused (``ChangeError/Reason/keyReused``). A refusal changed nothing and is not kept: the
    /// request may be made again, corrected or not, and is then judged anew.
    public var idempotencyKey: String?

    /// Names an author.
    public init(
        name: String, role: Role, origin: HistoryRecord.Origin, requestID: String? = nil, idempotencyKey: String? = nil
    ) {
        self.name = name
        self.role = role
        self.origin = origin
        self.requestID = requestID
        self.idempotencyKey = idempotencyKey
    }
}
