import FeatureFlags
import Foundation
import GRDB

/// The content of a history row, apart from its place in the chain.
public struct HistoryEvent: Hashable, Sendable {
    /// The identifier shared by changes that were applied together.
    public var batch: UUID
    /// The time, in UTC; kept to the microsecond.
    public var at: Date
    /// The actor.
    public var actor: String
    /// The actor's role at the time: `viewer`, `editor` or `admin`.
    public var role: String
    /// The origin of the change.
    public var origin: HistoryRecord.Origin
    /// The kind of change.
    public var kind: HistoryRecord.Kind
    /// The changed provider; `nil` for a change of the definition.
    public var provider: String?
    /// The flag, or another entry of the manifest.
    public var key: FlagKeyPath
    /// The flag's type at the time; `nil` for a group or the manifest itself.
    public var type: FlagType?
    /// The stored value before; `nil` if there was none.
    public var before: FlagValue?
    /// The stored value after; `nil` if there is none.
    ///
    /// A reason given later has the number of its change here (``notedRow``).
    public var after: FlagValue?
    /// The reason in the actor's words; may be empty.
    public var reason: String
    /// The identifier of the request for the change.
    public var requestID: String?
    /// The idempotency key of the request, which identifies repetitions.
    public var idempotencyKey: String?
    /// The SHA-256 of the file before, 32 bytes; values set together share one edit and both hashes.
    public var fileHashBefore: Data?
    /// The SHA-256 of the file after, 32 bytes.
    public var fileHashAfter: Data?

    /// Makes an event.
    public init(
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

/// The first rows of a batch, and counts of all its rows.
public struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows that are alike in what decides if they can be reverted.
    public struct Sort: Hashable, Sendable {
        /// The kind.
        public let kind: HistoryRecord.Kind
        /// `true` if the rows have a flag's type.
        public let hasType: Bool
        /// The number of rows.
        public let count: Int

        /// Makes a sort.
        public init(kind: HistoryRecord.Kind, hasType: Bool, count: Int) {
            self.kind = kind
            self.hasType = hasType
            self.count = count
        }

        init(_ row: Row) throws {
            let name: String = try row.sound("kind")
            guard let kind = HistoryRecord.Kind(rawValue: name) else {
                throw HistoryStoreError.AbortError(.corrupt("a row has the kind \"\(name.prefix(60))\""))
            }
            self.init(kind: kind, hasType: try row.sound("hasType"), count: try row.sound("count"))
        }
    }

    /// The first rows, oldest first.
    public let records: [HistoryRecord]
    /// The counts of all rows.
    public let sorts: [Sort]

    /// The outline of a batch without rows.
    public static let empty = HistoryBatchOutline(records: [], sorts: [])

    /// Makes an outline.
    public init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
