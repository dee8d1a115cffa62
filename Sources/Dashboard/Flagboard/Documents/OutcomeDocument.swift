import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct OutcomeDocument: JSONDocument {
    let outcome: OutcomeWord
    /// The history row; omitted if nothing was written.
    let change: ChangeDocument?
    /// The effective value differs from the one the app read at its start, and the app rereads it only then.
    ///
    /// Omitted if unknown.
    let waitsForRestart: Bool?
    /// Parts whose kind of value changed; omitted for none.
    let retyped: [RetypedDocument]?
    /// Omitted if it has neither a definition nor a value.
    let flag: FlagDocument?

    /// `pending` is `nil` if unknown.
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

struct OutcomeListDocument: JSONDocument {
    let outcomes: [OutcomeDocument]
}

enum OutcomeWord: String, JSONWord {
    case applied, unchanged
}

/// A page of the history, newest row first.
struct HistoryDocument: JSONDocument {
    let changes: [ChangeDocument]
    /// The rows that match on all pages, up to the limit of counting.
    let total: Int
    /// `false` if counting stopped at its limit.
    let isTotalExact: Bool
    let before: Int64?
    let altered: [Int64]?

    /// `altered` are the rows found altered or missing so far, on this page or elsewhere.
    init(_ page: HistoryPage, altered: [HistoryRecord.ID]) {
        changes = page.records.map { ChangeDocument($0) }
        total = page.total
        isTotalExact = page.isTotalExact
        before = page.olderThan
        self.altered = altered.isEmpty ? nil : altered
    }
}

struct PreviewDocument: JSONDocument {
    let changes: [Item]

    struct Item: JSONDocument {
        let key: String
        let provider: String?
        let before: PlainValue?
        let after: PlainValue?
        let changesNothing: Bool
        /// Parts whose kind of value would change; omitted for none.
        let retyped: [RetypedDocument]?
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

struct RetypedDocument: JSONDocument {
    let path: String
    let before: String
    let after: String
    let isNew: Bool

    static func list(_ parts: [RetypedPart]) -> [RetypedDocument]? {
        parts.isEmpty
            ? nil
            : parts.map {
                RetypedDocument(path: $0.pointer, before: $0.before, after: $0.after, isNew: $0.isNew)
            }
    }
}
