import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func timeMachine(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "").values
        var filter = PastFilter(query: query, now: clock())
        filter.tellUnknown(in: query)
        // The address must name the time itself, to mean the same on another day.
        if filter.isPicked, filter.instant != nil { return redirect(to: filter.href) }
        let overview = try await service.overview()
        let view = view(of: overview, context)
        let isAskedFor = filter.instant != nil || !filter.problems.isEmpty
        if !isAskedFor, let last = try lastChange(overview) { filter = filter.at(.before(row: last.id)) }
        let past = try await past(filter)
        return try respond(
            TimeMachinePage(
                frame: frame(view), view: view, filter: filter, past: past,
                surroundings: try surroundings(of: past, overview, isAskedFor: isAskedFor)))
    }

    private func lastChange(_ overview: FlagOverview) throws -> NeighbouringChanges.Change? {
        try service.history.neighbours(ofMomentAfter: .max, hiddenKeys: overview.hiddenKeys).previous
    }

    private func surroundings(
        of past: PastState?, _ overview: FlagOverview, isAskedFor: Bool
    ) throws -> MomentSurroundings {
        let bins = MomentStrip.bins(now: clock(), in: PageZone.current)
        let query = HistoryQuery(from: bins.start, hiddenKeys: overview.hiddenKeys, limit: 1)
        let row = past?.moment.lastRow ?? .max
        return MomentSurroundings(
            summary: try service.history.pageWithSummary(query).summary, begin: try service.history.begin(),
            neighbours: try service.history.neighbours(ofMomentAfter: row, hiddenKeys: overview.hiddenKeys),
            isAskedFor: isAskedFor)
    }

    /// Returns the flags at the chosen moment, or `nil` without one.
    func past(_ filter: PastFilter) async throws -> PastState? {
        guard let instant = filter.instant else { return nil }
        if let past = try await service.flags(at: instant) { return past }
        guard case .before(let row) = instant else { return nil }
        if let anchor = try service.history.anchor(ofRow: row) { throw RequestError.archived(row, anchor) }
        throw RequestError.notFound("change \(row)")
    }

    /// Previews a restoration, or shows the page again when there is nothing to restore.
    func restore(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await ChoiceForm(request)
        let filter = PastFilter(query: form.fields.values, now: clock())
        let past = try await past(filter)
        let overview = try await service.overview()
        let view = view(of: overview, context)
        let restoration = RestoreRequest(form, filter)
        switch restoration.proposal(past, in: view) {
        case .success: return try show(RestorePreview(form: form), context)
        case .failure(let refusal):
            let page = TimeMachinePage(
                frame: frame(view.asked(for: filter.href, by: request)), view: view, filter: filter, past: past,
                surroundings: try surroundings(of: past, overview, isAskedFor: true), problem: refusal.text,
                chosen: Set(form.keys))
            return try respond(page, status: refusal.status)
        }
    }

    func restoreProposal(_ form: ChoiceForm, _ context: DashboardContext) async throws -> BatchProposal {
        let filter = PastFilter(query: form.fields.values, now: clock())
        let past = try await past(filter)
        let view = view(of: try await service.overview(), context)
        return try RestoreRequest(form, filter).proposal(past, in: view).mapError {
            EmptyPreviewError(title: "Restore", notes: [$0.text], back: filter.href)
        }.get()
    }

    func pastValues(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await pastValues(request, ending: "xml", type: "application/xml") { document, _ in document.source }
    }

    func pastJSON(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await pastValues(request, ending: "json", type: "application/json") { document, flags in
            let keys = Set(flags.entries.filter { $0.definition.type == .json }.map(\.key))
            return ExportFormat.file(FlagJSON.json(document.root, jsonFlags: keys))
        }
    }

    private func pastValues(
        _ request: Request, ending: String, type: String, content: (PropertyListDocument, FlagCatalogue) -> Data
    ) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let filter = PastFilter(query: query.values, now: clock())
        guard let past = try await past(filter), past.moment.isKnown else {
            let problems = filter.problems.joined(separator: " ")
            throw RequestError.notFound("moment of which the flags are known: \(problems)")
        }
        let files = past.now.providers.filter(\.isFile)
        let provider = query["provider"] ?? files.first?.name ?? ""
        guard let document = try past.values(of: provider) else {
            throw RequestError.notFound("provider \(ShownValue(.string(provider)).inSentence)")
        }
        let place = files.firstIndex { $0.name == provider } ?? 0
        let stamp = (FlagDate.wholeSecondText(past.time) ?? "then").filter { $0 != ":" }
        let name = "flags\(place == 0 ? "" : "-provider-\(place + 1)")-\(stamp).\(ending)"
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: content(document, past.then))))
    }
}

struct RestorePreview: PreviewRequest {
    let form: ChoiceForm

    var size: Int { form.keys.reduce(0) { $0 + $1.text.utf8.count } }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        try await dashboard.restoreProposal(form, context)
    }
}
