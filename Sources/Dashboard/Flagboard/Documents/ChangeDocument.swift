import FeatureFlags
import FlagHistory
import Foundation

struct ChangeDocument: JSONDocument {
    let record: HistoryRecord
    /// Oldest first; `nil` if there are none, or not requested.
    let notes: [ChangeDocument]?

    init(_ record: HistoryRecord, notes: [HistoryRecord] = []) {
        self.record = record
        self.notes = notes.isEmpty ? nil : notes.map { ChangeDocument($0) }
    }

    private var event: HistoryEvent { record.event }
    private var before: PlainValue? { event.before.map { PlainValue($0, of: event) } }
    private var after: PlainValue? { event.kind == .note ? nil : event.after.map { PlainValue($0, of: event) } }
    private var altered: Bool? { record.isAltered ? true : nil }

    static let members: JSONMembers<Self> = [
        "id": .of(\.record.id, "The change number. Later changes have higher numbers."),
        "batch": .of(\.event.batch.uuidString, "The ID shared by all changes in a batch."),
        "at": .of(\.record.exactTime, "The time of the change, in ISO 8601 (UTC)."),
        "actor": .of(\.event.actor, "The person or program that made the change."),
        "role": .of(\.event.role, "The actor's role. Empty if unknown."),
        "origin": .of(\.event.origin, "How the change was made."),
        "kind": .of(\.event.kind, "The kind of change."),
        "provider": .of(\.event.provider, "The changed provider. Omitted for a change to the definition."),
        "key": .of(\.event.key.text, "The key path of the flag."),
        "type": .of(\.event.type, "The flag's type at the time. Omitted if unknown."),
        "before": .of(\.before, "The value or definition before the change. Omitted if there was none."),
        "after": .of(\.after, "The value or definition after the change. Omitted if there was none."),
        "reason": .of(\.event.reason, "The reason. Empty if none was given."),
        "noteOn": .of(
            \.event.notedRow, "For a note: the number of the change that the reason belongs to. Omitted otherwise."),
        "notes": .of(
            \.notes,
            "Reasons added later, oldest first. Only included when you request the change by its number. Omitted if "
                + "there are none."),
        "requestID": .of(\.event.requestID, "The request ID, as in the server's log."),
        "hash": .of(
            \.record.hash.hexadecimal, "The SHA-256 of this row and all rows before it, in hexadecimal."),
        "altered": .of(
            \.altered,
            "True if another program altered the row after it was written, so that its content can't be trusted. "
                + "Omitted otherwise."),
    ]
}

struct ChangeDetail: Hashable, PagePart {
    let label: String
    let text: String
    let meaning: String

    private init(_ label: String, _ text: String?, _ meaning: String) {
        (self.label, self.text, self.meaning) = (label, text ?? "none", meaning)
    }

    static func details(of record: HistoryRecord) -> [ChangeDetail] {
        let event = record.event
        return [
            ChangeDetail("Batch", event.batch.uuidString, "Shared by changes that were applied together."),
            ChangeDetail("Request", event.requestID, "The request’s ID in the server log."),
            ChangeDetail("Idempotency key", event.idempotencyKey, "Makes a repeated request count once."),
            ChangeDetail(
                "File before", event.fileHashBefore?.hexadecimal, "SHA-256 of the file before the change."),
            ChangeDetail("File after", event.fileHashAfter?.hexadecimal, "SHA-256 of the file after the change."),
            ChangeDetail(
                "Change before", record.previousHash.hexadecimal,
                "SHA-256 of the row before, which this one builds on."),
            ChangeDetail(
                "This change", record.hash.hexadecimal,
                "SHA-256 of this row. Any edit to it or an earlier row changes it."),
        ]
    }
}
