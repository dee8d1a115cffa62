import FeatureFlags
import Foundation
import GRDB

/// What a row of the history says, apart from its place in the chain.
public struct HistoryEvent: Hashable, Sendable {
    /// What ties changes together that were applied as one; a change of its own has a batch of its own.
    public var batch: UUID
    /// When, in UTC; kept to the microsecond.
    public var at: Date
    /// Who.
    public var actor: String
    /// What the actor was allowed to do at the time: `viewer`, `editor` or `admin`.
    public var role: String
    /// Which way the change came in.
    public var origin: HistoryRecord.Origin
    /// What happened.
    public var kind: HistoryRecord.Kind
    /// The provider that the change went to; `nil` for a change of the definition.
    public var provider: String?
    /// The flag, or what else of the manifest the row is about.
    public var key: FlagKeyPath
    /// The flag's type at the time; `nil` where the row is about no flag but a group, or the manifest itself.
    public var type: FlagType?
    /// The stored value before; `nil` where there was none.
    public var before: FlagValue?
    /// The stored value after; `nil` where there is none.
    ///
    /// A reason that was given later has the number of its change here (``notedRow``).
    public var after: FlagValue?
    /// Why, in the actor's words; may be empty.
    public var reason: String
    /// The identifier of the request that asked for the change.
    public var requestID: String?
    /// What makes a repeated request recognisable.
    public var idempotencyKey: String?
    /// SHA-256 of the file before the change, 32 bytes; values that are set together share one edit of their file, and so
    /// both hashes.
    public var fileHashBefore: Data?
    /// SHA-256 of the file after it, 32 bytes.
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

/// The first rows of a batch, and how many of each sort it has.
public struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows that are alike in what decides whether they can be reverted.
    public struct Sort: Hashable, Sendable {
        /// What they are.
        public let kind: HistoryRecord.Kind
        /// Whether they tell the type of a flag.
        public let hasType: Bool
        /// How many there are.
        public let count: Int

        /// Names a sort.
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
    /// All rows, by their sort.
    public let sorts: [Sort]

    /// Of a batch without rows.
    public static let empty = HistoryBatchOutline(records: [], sorts: [])

    /// Makes an outline.
    public init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
