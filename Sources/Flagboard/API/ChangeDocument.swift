import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history as the API tells it.
struct ChangeDocument {
    let id: Int64
    let batch: String
    let at: String
    let actor: String
    let role: String
    let origin: HistoryRecord.Origin
    let kind: HistoryRecord.Kind
    let provider: String?
    let key: String
    let type: FlagType?
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
        origin = event.origin
        kind = event.kind
        provider = event.provider
        key = event.key.text
        type = event.type
        before = event.before.map { PlainValue($0, of: event) }
        after = event.after.map { PlainValue($0, of: event) }
        reason = event.reason
        requestID = event.requestID
        hash = record.hash.hexadecimal
    }
}

extension ChangeDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "id": .of(\.id), "batch": .of(\.batch), "at": .of(\.at), "actor": .of(\.actor), "role": .of(\.role),
        "origin": .of(\.origin), "kind": .of(\.kind), "provider": .of(\.provider), "key": .of(\.key),
        "type": .of(\.type), "before": .of(\.before), "after": .of(\.after), "reason": .of(\.reason),
        "requestID": .of(\.requestID), "hash": .of(\.hash),
    ]
}
