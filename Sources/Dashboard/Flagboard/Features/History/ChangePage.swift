import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct ChangePage: PageModel {
    static let template = "change"
    static let mostOthers = 50

    let frame: PageFrame
    let reasonNote: String?
    let change: HistoryRow
    /// `nil` if the line of the change says as much.
    let meaning: String?
    /// The whole value, which a list would cut.
    let fullBefore: ShownValue
    let fullAfter: ShownValue
    let fullReason: String?
    /// No reason was added later, either.
    let hasNoReason: Bool
    /// `nil` if this viewer may not add one.
    let reasonForm: ReasonForm?
    let facts: [FlagFact]
    let details: [ChangeDetail]
    let others: [HistoryRow]
    let historyHref: String
    /// Set if it says more than both values.
    let difference: ShownDifference?
    /// `true` if the difference is complete.
    let foldsValues: Bool
    let holdsValues: Bool
    let batchHref: String
    let revert: RevertForm?
    let revertProblem: String?
    let laterLink: TextLink?
    /// `nil` if the value counts, or this viewer may not set it again.
    let again: SetAgain?
    let offersMore: Bool
    let beforeHref: String
    let terminal: TerminalLines?

    /// `batch` may include the change; `later` is the newest later change of the same value.
    init(
        frame: PageFrame, record: HistoryRecord, batch: HistoryBatchOutline = .empty,
        notes: [HistoryRecord.ID: [HistoryRecord]] = [:], view: CatalogueView, later: HistoryRecord? = nil,
        notice: SavedNotice? = nil, refused: ReasonForm.Refused? = nil, requests: TerminalRequests? = nil
    ) {
        let event = record.event
        self.frame = frame.titled("Change \(record.id)", in: .history)
        let partners = RenamedPartners(batch.records)
        change = HistoryRow(record, partner: partners[record], notes: notes[record.id] ?? [], in: view, at: .change)
        meaning =
            [.external, .aborted, .denied, .prune, .accept, .note].contains(event.kind) ? event.kind.meaning : nil
        let (before, after) = event.shownValues
        fullBefore = ShownValue(whole: before, absence: event.absence)
        fullAfter = ShownValue(whole: after, absence: event.absence)
        fullReason = event.reason.isEmpty ? nil : event.reason
        hasNoReason = event.reason.isEmpty && change.laterReasons.isEmpty
        reasonForm = ReasonForm(record, in: view, batch: batch, refused: refused)
        reasonNote = notice.flatMap { notice in
            if case .reasonAdded = notice.outcome { notice.text(nil, .none) } else { nil }
        }
        var facts = [
            FlagFact("Number", "\(record.id)"),
            FlagFact("Actor", event.actorName),
            FlagFact("Role", event.role.isEmpty ? "unknown" : event.role),
            FlagFact("Origin", event.origin.label),
        ]
        if !event.kind.isOfHistory { facts.append(FlagFact("Type", event.type?.rawValue ?? "unknown")) }
        self.facts = facts
        details = ChangeDetail.details(of: record)
        others = batch.records.filter { $0.id != record.id }.prefix(Self.mostOthers).map {
            HistoryRow($0, partner: partners[$0], notes: notes[$0.id] ?? [], in: view, at: .change)
        }
        historyHref = PageLink.history(of: event.key)
        let definition = ShownDifference(ofDefinitionIn: event, partners[record])
        difference = definition ?? ShownDifference(before, after)
        foldsValues = definition != nil
        holdsValues =
            event.kind != .note
            && (event.provider != nil && event.kind != .denied || event.before != nil || event.after != nil)
        batchHref = PageLink.batch(event.batch)
        let isAlone = Reversal.count(in: batch) < 2
        let general = record.revertProblem(in: view)
        let overtaken = general == nil ? RevertForm.overtaken(record, by: later, in: view) : nil
        let problem = general ?? overtaken
        revertProblem = problem
        laterLink =
            overtaken == nil
            ? nil : later.map { TextLink(label: "View change \($0.id)", href: PageLink.change($0.id)) }
        again = change.again
        offersMore = laterLink != nil || again != nil
        revert =
            general == nil && (overtaken == nil || !isAlone)
            ? RevertForm(record, batch: batch, in: view, isOvertaken: overtaken != nil) : nil
        terminal = requests?.lines(of: record, in: view)
        beforeHref = PageLink.timeMachine + PageLink.query([("before", String(record.id))])
    }
}
