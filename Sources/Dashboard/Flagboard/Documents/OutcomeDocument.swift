import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// What became of a change.
struct OutcomeDocument: JSONDocument {
    let outcome: OutcomeWord
    /// The history's row; left out where nothing was written.
    let change: ChangeDocument?
    /// Whether the flag now has another effective value than the app read when it started, and the app reads it only then; left
    /// out where that can't be told.
    let waitsForRestart: Bool?
    /// The parts that became another kind of value; left out where none did.
    let retyped: [RetypedDocument]?
    /// The flag as it is now; left out where nothing of it is left: it was not defined, and its value is gone.
    let flag: FlagDocument?

    /// Tells of a change.
    ///
    /// - Parameters:
    ///   - entry: The flag as it is now, where that is to be told.
    ///   - pending: What waits for a restart now; `nil` where that can't be told.
    init(_ outcome: ChangeOutcome, of key: FlagKeyPath, _ entry: FlagEntry? = nil, pending: PendingRestart?) {
        switch outcome {
        case .applied(let record): (self.outcome, change) = (.applied, ChangeDocument(record))
        case .unchanged: (self.outcome, change) = (.unchanged, nil)
        }
        waitsForRestart = pending.map { $0.waits.contains { $0.key == key } }
        retyped = RetypedDocument.list(outcome.retyped)
        flag = entry.map(FlagDocument.init)
    }
}

/// What became of each change of a batch.
struct OutcomeListDocument: JSONDocument {
    let outcomes: [OutcomeDocument]
}

/// Whether there was something to do.
enum OutcomeWord: String, JSONWord {
    case applied, unchanged
}

/// A page of the history, newest row first.
struct HistoryDocument: JSONDocument {
    let changes: [ChangeDocument]
    /// How many rows match without regard to the page, as far as they were counted.
    let total: Int
    /// Whether there are no more than ``total``.
    let isTotalExact: Bool
    /// The `before` of the next page; left out on the last one.
    let before: Int64?

    init(_ page: HistoryPage) {
        changes = page.records.map { ChangeDocument($0) }
        total = page.total
        isTotalExact = page.isTotalExact
        before = page.olderThan
    }
}

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

/// What changes would do, or would have done.
struct PreviewDocument: JSONDocument {
    let changes: [Item]

    /// What one change would do, or why it is refused.
    struct Item: JSONDocument {
        let key: String
        let provider: String?
        let before: PlainValue?
        let after: PlainValue?
        let changesNothing: Bool
        /// The parts that would become another kind of value; left out where none would.
        let retyped: [RetypedDocument]?
        /// Left out where the change is allowed.
        let refusal: ProblemDocument?
    }

    init(_ previews: [ChangePreview]) {
        changes = previews.map { preview in
            let value = { (value: FlagValue) in
                PlainValue(value, of: preview.type, isOfDefinition: preview.change.action.isAboutDefinition)
            }
            return Item(
                key: preview.change.key.text, provider: preview.provider, before: preview.before.map(value),
                after: preview.after.map(value), changesNothing: preview.changesNothing,
                retyped: RetypedDocument.list(preview.retyped), refusal: preview.refusal.map { ProblemDocument($0) })
        }
    }
}

/// A part of an array or a dictionary that a change makes another kind of value.
struct RetypedDocument: JSONDocument {
    let path: String
    let before: String
    let after: String
    let isNew: Bool

    /// - Returns: `nil` where there are none.
    static func list(_ parts: [RetypedPart]) -> [RetypedDocument]? {
        parts.isEmpty
            ? nil
            : parts.map {
                RetypedDocument(path: $0.pointer, before: $0.before, after: $0.after, isNew: $0.isNew)
            }
    }
}
