import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

extension Dashboard {
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
        // The form of a batch's notice, which any page may show.
        if let back = fields["back"].map(LocalPath.checked), fields["scope"] == "batch" {
            let note = FlashNote(
                text: notice.text(nil, .none), undo: FlashNote.Undo(of: records, shown: record, back: back),
                link: TextLink(of: records, shown: record))
            return redirect(to: self.notes.add(note, to: back))
        }
        let back = fields["back"].map(LocalPath.checked) ?? PageLink.change(record.id)
        let address = PageLink.adding(
            "saved", savedNotices.add(notice, about: record.event.key), to: String(back.prefix { $0 != "#" }))
        let isList = Route.at(String(back.prefix { $0 != "?" && $0 != "#" })) == .flags
        return redirect(to: address + (isList ? "#\(ReturnToList.anchor)" : ""))
    }

    private func refusedReason(
        _ cause: ChangeError, _ reason: String, for record: HistoryRecord, _ request: Request,
        _ context: DashboardContext
    ) async throws -> Response {
        switch cause.reason {
        case .invalid, .reasonTooLong, .reasonRequired, .confirmationRequired, .unavailable, .full:
            let refused = ReasonForm.Refused(typed: reason, problem: "\(cause.description) \(cause.remedy)")
            let page = try changePage(of: record, request, context, try await service.overview(), refused: refused)
            if page.reasonForm != nil { return try respond(page, status: cause.status) }
        default: break
        }
        throw RefusedForm(cause: cause, key: record.event.key, typed: TypedValue.all(value: nil, reason: reason))
    }
}

extension ReasonForm {
    struct Refused: Hashable, Sendable {
        let typed: String
        let problem: String
    }

    /// `nil` if the row changes no flag, or if this viewer may not add a reason.
    init?(
        _ record: HistoryRecord, in view: CatalogueView, back: String? = nil, batch: HistoryBatchOutline = .empty,
        refused: Refused? = nil
    ) {
        guard record.event.kind.changesFlags, view.status.block == nil, view.visitor?.person.role != .viewer else {
            return nil
        }
        let count = batch.sorts.reduce(0) { $0 + ($1.kind.changesFlags ? $1.count : 0) }
        self.init(
            for: record.id, of: count, back: back, typed: refused?.typed ?? "", problem: refused?.problem,
            isOpen: refused != nil)
    }
}

struct LaterReason: Hashable, PagePart {
    let text: String
    let giver: String
    let given: TimeText
    let href: String

    init(_ record: HistoryRecord) {
        text = record.event.reason
        giver = record.event.actor
        given = TimeText(record.event.at)
        href = PageLink.change(record.id)
    }
}
