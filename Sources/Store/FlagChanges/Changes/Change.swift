import FeatureFlags
import FlagHistory

/// A change of one flag, as an author asks for it: of its value in one provider, of its definition, or of what the history
/// tells of why it was changed.
public struct Change: Hashable, Sendable {
    /// What to do to the flag: to its value in a provider, or to its definition in the manifest.
    public enum Action: Hashable, Sendable {
        /// Change what a provider holds.
        case value(ValueChange)
        /// Change what the manifest says.
        case definition(DefinitionChange)
        /// Give a change that was made already its reason, by the number of its row in the history; see
        /// ``Change/note(on:reason:)``.
        case note(HistoryRecord.ID)
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

extension Change {
    /// What gives a change that was made already a reason: a row of the history by itself, which changes no file.
    ///
    /// Authors who may change values may do so, also where the flag is locked or gone by now.
    ///
    /// - Parameters:
    ///   - record: The change's row.
    ///   - reason: Why it was made.
    /// - Returns: The change to ask for.
    public static func note(on record: HistoryRecord, reason: String) -> Change {
        Change(key: record.event.key, action: .note(record.id), provider: record.event.provider, reason: reason)
    }
}

extension Change.Action {
    /// The name and the operand by which an action is passed on and told apart from others: see ``init(name:operand:)``.
    package var written: (name: String, operand: FlagValue?) {
        switch self {
        case .value(let change): change.written
        case .definition(let change): change.written
        case .note(let id): ("note", .integer(Int128(id)))
        }
    }

    /// Takes an action back from what ``written`` gave; `nil` where it is none.
    ///
    /// A reason for an earlier change is not passed on.
    package init?(name: String, operand: FlagValue?) {
        let value = ValueChange(name: name, operand: operand).map(Self.value)
        guard let action = value ?? DefinitionChange(name: name, operand: operand).map(Self.definition) else {
            return nil
        }
        self = action
    }

    /// Whether it is about what a provider holds.
    var isAboutValue: Bool {
        if case .value = self { true } else { false }
    }

    /// Whether it is about the flag's definition, in the manifest, rather than about a value alone.
    package var isAboutDefinition: Bool {
        if case .definition = self { true } else { false }
    }
}

extension Change {
    /// What the change asks to store; a text that is no value of the flag stays text.
    ///
    /// - Returns: `nil` where nothing is to be stored.
    package func asked(_ definition: FlagDefinition, replacing before: FlagValue?) -> FlagValue? {
        switch action {
        case .value(let change): change.asked(definition, replacing: before)
        case .definition(let change): change.entry(for: key)
        case .note: nil
        }
    }
}

/// What became of a change.
public enum ChangeOutcome: Hashable, Sendable {
    /// The file and the history hold it.
    case applied(HistoryRecord)
    /// The file already held just that; nothing was written.
    case unchanged

    /// The parts of an array or a dictionary that became another kind of value.
    public var retyped: [RetypedPart] {
        guard case .applied(let record) = self, record.event.provider != nil else { return [] }
        return RetypedPart.parts(of: record.event.after, since: record.event.before)
    }
}

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
