import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// Gives a change, or all that were made together with it, the reason that a form sends, and goes back to where that stood.
    func addReason(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        let reason = fields["reason"].map(LineEnds.normalized) ?? ""
        let overview = try await service.overview()
        let record = try record(context, overview)
        let records =
            fields["scope"] == "batch"
            ? try service.history.records(batch: record.event.batch, hiddenKeys: overview.hiddenKeys)
                .filter(\.event.kind.changesFlags) : [record]
        let changes = records.map { Change.note(on: $0, reason: reason) }
        let author = try context.author(.form)
        let notes: [HistoryRecord]
        do throws(BatchError) {
            notes = try await service.apply(ChangeRequest(changes, by: author)).compactMap(\.record)
        } catch {
            return try await refusedReason(error.cause, reason, for: record, request, context)
        }
        let notice = SavedNotice(
            outcome: .reasonAdded(notes.count), provider: record.event.provider ?? "", record: record, note: notes.first
        )
        let back = fields["back"].map(LocalPath.checked) ?? PageLink.change(record.id)
        let address = PageLink.adding(
            "saved", savedNotices.add(notice, about: record.event.key), to: String(back.prefix { $0 != "#" }))
        let isList = Route.at(String(back.prefix { $0 != "?" && $0 != "#" })) == .flags
        return redirect(to: address + (isList ? "#\(ReturnToList.anchor)" : ""))
    }

    /// The change's page with what was typed and why it was refused.
    private func refusedReason(
        _ cause: ChangeError, _ reason: String, for record: HistoryRecord, _ request: Request,
        _ context: DashboardContext
    ) async throws -> Response {
        switch cause.reason {
        case .invalid, .reasonTooLong, .unavailable, .full:
            let refused = ReasonForm.Refused(typed: reason, problem: "\(cause.description) \(cause.remedy)")
            let page = try changePage(of: record, request, context, try await service.overview(), refused: refused)
            if page.reasonForm != nil { return try respond(page, status: cause.status) }
        default: break
        }
        throw RefusedForm(cause: cause, key: record.event.key, typed: TypedValue.all(value: nil, reason: reason))
    }
}

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
