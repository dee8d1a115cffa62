import FeatureFlags
import FlagHistory
import Foundation

/// A requested change of a flag's value, its definition, or the reason of an earlier change.
public struct Change: Hashable, Sendable {
    /// The kind of change.
    public enum Action: Hashable, Sendable {
        /// Changes the value in a provider.
        case value(ValueChange)
        /// Changes the definition in the manifest.
        case definition(DefinitionChange)
        /// Adds a reason to an earlier change; see ``Change/note(on:reason:)``.
        case note(HistoryRecord.ID)
    }

    /// The flag's key path.
    public var key: FlagKeyPath
    /// The action.
    public var action: Action
    /// The provider to change; `nil` for the first writable one.
    ///
    /// Ignored for locks.
    public var provider: String?
    /// The revisions that the change may replace; `nil` for any.
    ///
    /// Ignored for locks. Other changes of a definition use ``StoredDefinition/revision``.
    public var revisions: [FlagRevision]?
    /// The author's reason, at most ``longestReason`` long.
    public var reason: String

    /// The maximum length of a reason, in UTF-16 code units, as browsers count.
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
    /// Makes a change that adds a reason to an earlier change.
    ///
    /// Authors who may change values may add it, even if the flag is now locked or gone.
    package static func note(on record: HistoryRecord, reason: String) -> Change {
        Change(key: record.event.key, action: .note(record.id), provider: record.event.provider, reason: reason)
    }
}

extension Change.Action {
    package var written: (name: String, operand: FlagValue?) {
        switch self {
        case .value(let change): change.written
        case .definition(let change): change.written
        case .note(let id): ("note", .integer(Int128(id)))
        }
    }

    /// Restores an action from ``written``, except notes.
    package init?(name: String, operand: FlagValue?) {
        let value = ValueChange(name: name, operand: operand).map(Self.value)
        guard let action = value ?? DefinitionChange(name: name, operand: operand).map(Self.definition) else {
            return nil
        }
        self = action
    }

    var isAboutValue: Bool {
        if case .value = self { true } else { false }
    }

    package var isAboutDefinition: Bool {
        if case .definition = self { true } else { false }
    }
}

extension Change {
    package func asked(_ definition: FlagDefinition, replacing before: FlagValue?) -> FlagValue? {
        switch action {
        case .value(let change): change.asked(definition, replacing: before)
        case .definition(let change): change.entry(for: key)
        case .note: nil
        }
    }
}

/// The result of a change.
public enum ChangeOutcome: Hashable, Sendable {
    /// File and history hold the change.
    case applied(HistoryRecord)
    /// The file already held it; nothing was written.
    case unchanged

    /// The parts of an array or a dictionary that changed their type.
    public var retyped: [RetypedPart] {
        guard case .applied(let record) = self, record.event.provider != nil else { return [] }
        return RetypedPart.parts(of: record.event.after, since: record.event.before)
    }
}

/// The person or program that asks for a change, and its origin.
public struct ChangeAuthor: Hashable, Sendable {
    /// An author's rights; each role includes those before it.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// Reads flags.
        case viewer
        /// Changes values of flags that aren't locked.
        case editor
        /// Changes definitions and locks, and imports.
        case admin
    }

    /// The name kept in the history.
    public var name: String
    /// The author's role.
    public var role: Role
    /// The request's origin.
    public var origin: HistoryRecord.Origin
    /// The request's identifier.
    public var requestID: String?
    /// The key by which a repeated request is recognised.
    ///
    /// The first success is the answer: a repetition by the same author with the same changes gets its rows, whatever
    /// the flags are now, also after a restart. With other changes it is refused (``ChangeError/Reason/keyReused``). A
    /// refused request may be sent again.
    public var idempotencyKey: String?
    /// The names of the environments that the author knows to be changing.
    ///
    /// An environment may require its name here for each change (``ChangeError/Reason/confirmationRequired``).
    public var confirmedEnvironments: Set<String> = []

    /// Makes an author.
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

extension ChangeAuthor {
    /// Returns the author of a refused attempt, whose texts may be of any length.
    func shortened(to count: Int) -> ChangeAuthor {
        var author = self
        author.name = name.shortened(to: count)
        author.requestID = requestID?.shortened(to: count)
        author.idempotencyKey = nil
        return author
    }
}

extension HistoryEvent {
    /// Makes a row with everything that the history keeps of a request.
    ///
    /// `reason` is the change's, unless given.
    init(
        _ kind: HistoryRecord.Kind, of change: Change? = nil, by author: ChangeAuthor, batch: UUID = UUID(),
        at time: Date, provider: String? = nil, key: FlagKeyPath, type: FlagType? = nil, before: FlagValue? = nil,
        after: FlagValue? = nil, reason: String? = nil
    ) {
        self.init(
            batch: batch, at: time, actor: author.name, role: author.role.rawValue, origin: author.origin, kind: kind,
            provider: provider, key: key, type: type, before: before, after: after,
            reason: reason ?? change?.reason ?? "", requestID: author.requestID, idempotencyKey: author.idempotencyKey)
    }
}
