import Foundation
import GRDB

/// A row as an archive holds it: a JSON object of its columns, texts as they are stored, hashes in hexadecimal.
struct ArchivedRow: Codable {
    let id: Int64
    let batch: String
    let at: Int64
    let actor: String
    let role: String
    let origin: String
    let kind: String
    let provider: String?
    let key: String
    let type: String?
    let before: String?
    let after: String?
    let reason: String
    let request_id: String?
    let idempotency_key: String?
    let file_hash_before: String?
    let file_hash_after: String?
    let previous_hash: String
    let hash: String

    init(_ row: Row) throws {
        let event = try StoredEvent(row)
        id = row["id"]
        (batch, at, actor, role, origin) = (event.batch, event.at, event.actor, event.role, event.origin)
        (kind, provider, key, type) = (event.kind, event.provider, event.key, event.type)
        (before, after, reason) = (event.before, event.after, event.reason)
        (request_id, idempotency_key) = (event.requestID, event.idempotencyKey)
        file_hash_before = event.fileHashBefore?.hexadecimal
        file_hash_after = event.fileHashAfter?.hexadecimal
        previous_hash = Data.fromDatabaseValue(row["previous_hash"])?.hexadecimal ?? ""
        hash = Data.fromDatabaseValue(row["hash"])?.hexadecimal ?? ""
    }

    /// What the row says.
    var event: StoredEvent {
        StoredEvent(
            batch: batch, at: at, actor: actor, role: role, origin: origin, kind: kind, provider: provider, key: key,
            type: type, before: before, after: after, reason: reason, requestID: request_id,
            idempotencyKey: idempotency_key, fileHashBefore: file_hash_before.flatMap { Data(hexadecimal: $0) },
            fileHashAfter: file_hash_after.flatMap { Data(hexadecimal: $0) })
    }
}
