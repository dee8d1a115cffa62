import FlagChanges
import FlagHistory

/// The small form that gives a change its reason after it was made.
struct ReasonForm: Hashable, PagePart {
    let action: String
    /// What ties the field to its label.
    let field: String
    /// Where to go afterwards; `nil` for the page of the change.
    let back: String?
    let reasonLimit: Int
    /// What the button does, as its accessible name.
    let meaning: String
    /// What the second button does, which gives the reason to all that was made together; `nil` where nothing else was.
    let batchLabel: String?
    /// What was typed before, where it was refused.
    let typed: String
    /// Why it was refused.
    let problem: String?
    /// Whether the form is unfolded from the start.
    let isOpen: Bool

    /// What was typed, and why that was refused.
    struct Refused: Hashable, Sendable {
        let typed: String
        let problem: String
    }

    /// Makes the form; `nil` where the row is of no change, or who looks at it may not give one.
    ///
    /// - Parameter refused: What was sent before.
    init?(
        _ record: HistoryRecord, in view: CatalogueView, back: String? = nil, batch: HistoryBatchOutline = .empty,
        refused: Refused? = nil, isOpen: Bool = false
    ) {
        guard record.event.kind.changesFlags, view.status.block == nil, view.visitor?.person.role != .viewer else {
            return nil
        }
        action = PageLink.reason(record.id)
        field = "reason-\(record.id)"
        self.back = back
        reasonLimit = Change.longestReason
        meaning = "Add this reason to change \(record.id)"
        let count = batch.sorts.reduce(0) { $0 + ($1.kind.changesFlags ? $1.count : 0) }
        batchLabel = count > 1 ? "Add to all \(count) together" : nil
        typed = refused?.typed ?? ""
        problem = refused?.problem
        self.isOpen = isOpen || refused != nil
    }
}

/// A reason that a change was given after it was made.
struct LaterReason: Hashable, PagePart {
    let text: String
    let giver: String
    let given: TimeText
    /// The page of the row that gives it.
    let href: String

    init(_ record: HistoryRecord) {
        text = record.event.reason
        giver = record.event.actor
        given = TimeText(record.event.at)
        href = PageLink.change(record.id)
    }
}
