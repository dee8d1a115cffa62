import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history as the API tells it.
struct ChangeDocument: Encodable {
    let id: Int64
    let batch: String
    let at: String
    let actor: String
    let role: String
    let origin: String
    let kind: String
    let provider: String?
    let key: String
    let type: String?
    let before: PlainValue?
    let after: PlainValue?
    let reason: String
    let requestID: String?
    let hash: String

    /// Tells of a row.
    init(_ record: HistoryRecord) {
        let event = record.event
        id = record.id
        batch = event.batch.uuidString
        at = record.exactTime
        actor = event.actor
        role = event.role
        origin = event.origin.rawValue
        kind = event.kind.rawValue
        provider = event.provider
        key = event.key.text
        type = event.type?.rawValue
        before = event.before.map { PlainValue($0, of: event) }
        after = event.after.map { PlainValue($0, of: event) }
        reason = event.reason
        requestID = event.requestID
        hash = record.hash.hexadecimal
    }
}
