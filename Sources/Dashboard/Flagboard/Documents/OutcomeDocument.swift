import FeatureFlags
import FlagChanges
import FlagHistory

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
