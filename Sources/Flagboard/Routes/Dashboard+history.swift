import FlagChanges
import FlagHistory
import Hummingbird

extension Dashboard {
    func addHistoryRoutes(to router: Router<DashboardContext>) {
        router.get(Routes.history) { request, context in try await historyList(request, context) }
        router.get(Routes.change) { _, context in try await change(context) }
    }

    private func historyList(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let filter = HistoryFilter(query: try FormFields(request.uri.query ?? "").values)
        let overview = try await service.overview()
        let query = filter.historyQuery(hiddenKeys: overview.hiddenKeys)
        let page = try query.map { try service.history.page($0) }
        return try respond(HistoryListPage(frame: frame(view(of: overview, context)), page: page, filter: filter))
    }

    private func change(_ context: DashboardContext) async throws -> Response {
        let overview = try await service.overview()
        guard let id = context.parameters.get("id", as: Int64.self) else {
            throw RequestRefusal.notFound("change \(context.parameters.get("id") ?? "")")
        }
        guard let record = try service.history.record(id, hiddenKeys: overview.hiddenKeys) else {
            if let anchor = try service.history.anchor(ofRow: id) { throw RequestRefusal.archived(id, anchor) }
            throw RequestRefusal.notFound("change \(id)")
        }
        let batch = try service.history.records(batch: record.event.batch, hiddenKeys: overview.hiddenKeys)
        return try respond(ChangePage(frame: frame(view(of: overview, context)), record: record, batch: batch))
    }
}
