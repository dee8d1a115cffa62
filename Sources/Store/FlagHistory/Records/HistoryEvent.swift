import FeatureFlags
import Foundation
import GRDB

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

/// The first rows of a batch, and counts of all.
package struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows alike in what decides if they can be reverted.
    package struct Sort: Hashable, Sendable {
        package let kind: HistoryRecord.Kind
        package let hasType: Bool
        package let count: Int

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

    /// Oldest first.
    package let records: [HistoryRecord]
    package let sorts: [Sort]

    package static let empty = HistoryBatchOutline(records: [], sorts: [])

    package init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
