import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history as the API tells it.
struct ChangeDocument: JSONDocument {
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
    /// The change that it gives a reason for.
    let noteOn: Int64?
    /// The reasons that it was given later, where those are told.
    let notes: [ChangeDocument]?
    let requestID: String?
    let hash: String
    /// `true` where another program altered the row after it was written; else `nil`.
    let altered: Bool?

    /// Tells of a row.
    ///
    /// - Parameter notes: The rows that give it a reason, oldest first, where those are to be told.
    init(_ record: HistoryRecord, notes: [HistoryRecord] = []) {
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
        after = event.kind == .note ? nil : event.after.map { PlainValue($0, of: event) }
        reason = event.reason
        noteOn = event.notedRow
        self.notes = notes.isEmpty ? nil : notes.map { ChangeDocument($0) }
        requestID = event.requestID
        hash = record.hash.hexadecimal
        altered = record.isAltered ? true : nil
    }
}
