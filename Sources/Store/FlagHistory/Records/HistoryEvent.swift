import FeatureFlags
import Foundation

/// A history row, apart from its place in the chain.
package struct HistoryEvent: Hashable, Sendable {
    /// Shared by changes that were applied together.
    package var batch: UUID
    /// Kept to the microsecond.
    package var at: Date
    package var actor: String
    /// The role at the time: `viewer`, `editor` or `admin`.
    package var role: String
    package var origin: HistoryRecord.Origin
    package var kind: HistoryRecord.Kind
    /// `nil` for a change of the definition.
    package var provider: String?
    /// A flag, or another entry of the manifest.
    package var key: FlagKeyPath
    /// The type at the time; `nil` for a group or the manifest itself.
    package var type: FlagType?
    package var before: FlagValue?
    /// The stored value; in a note, the number of its change (``notedRow``).
    package var after: FlagValue?
    /// The reason in the actor's words; may be empty.
    package var reason: String
    package var requestID: String?
    package var idempotencyKey: String?
    /// The file's SHA-256; values set together share one edit and both hashes.
    package var fileHashBefore: Data?
    package var fileHashAfter: Data?

    package init(
        batch: UUID, at: Date, actor: String, role: String, origin: HistoryRecord.Origin, kind: HistoryRecord.Kind,
        provider: String?, key: FlagKeyPath, type: FlagType?, before: FlagValue?, after: FlagValue?,
        reason: String = "", requestID: String? = nil, idempotencyKey: String? = nil, fileHashBefore: Data? = nil,
        fileHashAfter: Data? = nil
    ) {
        self.batch = batch
        self.at = at
        self.actor = actor
        self.role = role
        self.origin = origin
        self.kind = kind
        self.provider = provider
        self.key = key
        self.type = type
        self.before = before
        self.after = after
        self.reason = reason
        self.requestID = requestID
        self.idempotencyKey = idempotencyKey
        self.fileHashBefore = fileHashBefore
        self.fileHashAfter = fileHashAfter
    }
}

/// A column of the history's table.
///
/// Rows are read by index, since GRDB would search for names in each row; the table may have another order.
package enum HistoryColumn: Int, CaseIterable, Sendable {
    case id, batch, at, actor, role, origin, kind, provider, key, type, before, after, reason
    case requestID, idempotencyKey, fileHashBefore, fileHashAfter, previousHash, hash

    /// The property that the column holds; `nil` for a row's place in the chain.
    ///
    /// `isLater` marks a column that came after the first release: histories get it when they are opened, and rows from
    /// before it keep their hashes.
    var declared: EventProperty? {
        switch self {
        case .id, .previousHash, .hash: nil
        case .batch: EventProperty(\.batch)
        case .at: EventProperty(\.at)
        case .actor: EventProperty(\.actor)
        case .role: EventProperty(\.role)
        case .origin: EventProperty(\.origin)
        case .kind: EventProperty(\.kind)
        case .provider: EventProperty(\.provider)
        case .key: EventProperty(\.key)
        case .type: EventProperty(\.type)
        case .before: EventProperty(\.before)
        case .after: EventProperty(\.after)
        case .reason: EventProperty(\.reason)
        case .requestID: EventProperty(\.requestID)
        case .idempotencyKey: EventProperty(\.idempotencyKey)
        case .fileHashBefore: EventProperty(\.fileHashBefore)
        case .fileHashAfter: EventProperty(\.fileHashAfter)
        }
    }
}
