import FeatureFlags
import Foundation
import GRDB

/// The content of a history row, apart from its place in the chain.
package struct HistoryEvent: Hashable, Sendable {
    /// The identifier shared by changes that were applied together.
    package var batch: UUID
    /// The time, in UTC; kept to the microsecond.
    package var at: Date
    /// The actor.
    package var actor: String
    /// The actor's role at the time: `viewer`, `editor` or `admin`.
    package var role: String
    /// The origin of the change.
    package var origin: HistoryRecord.Origin
    /// The kind of change.
    package var kind: HistoryRecord.Kind
    /// The changed provider; `nil` for a change of the definition.
    package var provider: String?
    /// The flag, or another entry of the manifest.
    package var key: FlagKeyPath
    /// The flag's type at the time; `nil` for a group or the manifest itself.
    package var type: FlagType?
    /// The stored value before; `nil` if there was none.
    package var before: FlagValue?
    /// The stored value after; `nil` if there is none.
    ///
    /// A reason given later has the number of its change here (``notedRow``).
    package var after: FlagValue?
    /// The reason in the actor's words; may be empty.
    package var reason: String
    /// The identifier of the request for the change.
    package var requestID: String?
    /// The idempotency key of the request, which identifies repetitions.
    package var idempotencyKey: String?
    /// The SHA-256 of the file before, 32 bytes; values set together share one edit and both hashes.
    package var fileHashBefore: Data?
    /// The SHA-256 of the file after, 32 bytes.
    package var fileHashAfter: Data?

    /// Makes an event.
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

/// The first rows of a batch, and counts of all its rows.
package struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows that are alike in what decides if they can be reverted.
    package struct Sort: Hashable, Sendable {
        /// The kind.
        package let kind: HistoryRecord.Kind
        /// `true` if the rows have a flag's type.
        package let hasType: Bool
        /// The number of rows.
        package let count: Int

        /// Makes a sort.
        package init(kind: HistoryRecord.Kind, hasType: Bool, count: Int) {
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
    package let records: [HistoryRecord]
    /// The counts of all rows.
    package let sorts: [Sort]

    /// The outline of a batch without rows.
    package static let empty = HistoryBatchOutline(records: [], sorts: [])

    /// Makes an outline.
    package init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
