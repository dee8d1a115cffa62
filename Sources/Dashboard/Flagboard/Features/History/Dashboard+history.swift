import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

extension Dashboard {
    func historyList(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let asked = try FormFields(request.uri.query ?? "").values
        var filter = HistoryFilter(query: asked, lastVisit: context.memory.lastVisit)
        filter.tellUnknown(in: asked)
        let overview = try await service.overview()
        let view = view(of: overview, context)
        guard let query = filter.historyQuery(hiddenKeys: overview.hiddenKeys) else {
            return try respond(
                HistoryListPage(frame: frame(view), page: nil, filter: filter, now: view.now, view: view))
        }
        let (page, summary) = try service.history.pageWithSummary(query)
        return try respond(
            HistoryListPage(
                frame: frame(view), page: page, filter: filter, summary: summary, now: view.now, view: view,
                notes: try service.history.notes(on: page.records, hiddenKeys: overview.hiddenKeys),
                revertAll: try revertAll(query, overview, view),
                followers: view.visitor?.person.role == .admin ? try followerLags() : []))
    }

    /// `nil` unless the list is one batch.
    private func revertAll(
        _ query: HistoryQuery, _ overview: FlagOverview, _ view: CatalogueView
    ) throws -> RevertAll? {
        guard let batch = query.batch else { return nil }
        let outline = try service.history.outline(
            ofBatch: batch, limit: ChangePage.mostOthers, hiddenKeys: overview.hiddenKeys)
        return RevertAll(outline, in: view)
    }

    func changePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let overview = try await service.overview()
        return try respond(try changePage(of: try record(context, overview), request, context, overview))
    }

    func changePage(
        of record: HistoryRecord, _ request: Request, _ context: DashboardContext, _ overview: FlagOverview,
        refused: ReasonForm.Refused? = nil
    ) throws -> ChangePage {
        let query = try FormFields(request.uri.query ?? "")
        let batch = try service.history.outline(
            ofBatch: record.event.batch, limit: ChangePage.mostOthers + 1, hiddenKeys: overview.hiddenKeys)
        let view = view(of: overview, context)
        let notice = savedNotices.take(query["saved"], about: record.event.key)
        let notes = try service.history.notes(on: [record] + batch.records, hiddenKeys: overview.hiddenKeys)
        return ChangePage(
            frame: frame(view), record: record, batch: batch, notes: notes, view: view,
            later: try later(record, overview), notice: notice, refused: refused,
            requests: terminalRequests(request, view))
    }

    /// The newest later change of the same value or definition among the flag's last 20.
    private func later(_ record: HistoryRecord, _ overview: FlagOverview) throws -> HistoryRecord? {
        let event = record.event
        let newest = try service.history.newest(
            HistoryQuery(key: event.key, exceptKind: .note, hiddenKeys: overview.hiddenKeys, limit: 20))
        return newest.first {
            $0.id > record.id && $0.event.key == event.key && $0.event.provider == event.provider
                && Reversal.problem(of: $0) == nil
        }
    }

    func record(_ context: DashboardContext, _ overview: FlagOverview) throws -> HistoryRecord {
        guard let id = context.parameters.get("id", as: Int64.self) else {
            throw RequestError.notFound("change \(context.parameters.get("id") ?? "")")
        }
        return try record(id, overview.hiddenKeys)
    }

    func record(_ id: Int64, _ hiddenKeys: HiddenKeys) throws -> HistoryRecord {
        guard let record = try service.history.record(id, hiddenKeys: hiddenKeys) else {
            if let anchor = try service.history.anchor(ofRow: id) { throw RequestError.archived(id, anchor) }
            throw RequestError.notFound("change \(id)")
        }
        return record
    }

    /// Reverts a single change without conflicts at once, others after a preview.
    func revert(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        let wish = RevertRequest(fields, from: Self.referrer(of: request).map(LocalPath.checked))
        let overview = try await service.overview()
        let record = try record(context, overview)
        let plan = try plan(wish, of: record, overview)
        guard wish.isConfirmed || !wish.isPreview && !plan.needsPreview(overview.catalogue) else {
            return try show(RevertPreview(change: record.id, request: wish), context)
        }
        let author = try context.author(.revert)
        let outcomes: [ChangeOutcome]
        do throws(BatchError) {
            outcomes = try await service.apply(ChangeRequest(plan.changes, by: author))
        } catch {
            guard !error.changes.isEmpty else { throw error.cause }
            if error.cause.reason == .confirmationRequired {
                return try show(RevertPreview(change: record.id, request: wish), context)
            }
            return try await show(RevertPreview(change: record.id, request: wish), refused: error.cause.status, context)
        }
        let back = wish.back ?? PageLink.change(record.id)
        return try await answer(toMade: context) {
            redirect(to: try await address(after: outcomes, wish.deed, back: back))
        } orPlain: {
            redirect(to: back)
        }
    }

    func revertProposal(
        _ wish: RevertRequest, of change: Int64, _ context: DashboardContext
    ) async throws -> BatchProposal {
        let overview = try await service.overview()
        let record = try record(change, overview.hiddenKeys)
        let plan = try plan(wish, of: record, overview).withUnchanged(in: overview.catalogue)
        let previews = try await service.preview(ChangeRequest(plan.changes, by: try context.author(.revert)))
        let own = Set(plan.reversals.map(\.record.id))
        return try plan.proposal(explaining: previews) { row in
            try service.history.changes(after: row, hiddenKeys: overview.hiddenKeys).filter { !own.contains($0.id) }
        }
    }

    /// Throws 409 if nothing can be reverted.
    func plan(
        _ wish: RevertRequest, of record: HistoryRecord, _ overview: FlagOverview
    ) throws -> RevertPlan {
        guard wish.isOfBatch else { return try RevertPlan([record], of: record, wish) }
        let batch = try service.history.records(batch: record.event.batch, hiddenKeys: overview.hiddenKeys)
        return try RevertPlan(batch, of: record, wish)
    }
}

struct RevertPreview: PreviewRequest {
    let change: Int64
    let request: RevertRequest

    var size: Int { request.reason.utf8.count }
    var deed: BatchDeed { request.deed }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        try await dashboard.revertProposal(request, of: change, context)
    }
}
