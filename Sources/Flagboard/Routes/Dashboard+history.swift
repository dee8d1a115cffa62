import FlagChanges
import FlagHistory
import Hummingbird

extension Dashboard {
    func addHistoryRoutes(to router: Router<DashboardContext>) {
        router.get(Routes.history) { request, _ in try await historyList(request) }
        router.get(Routes.change) { _, context in try await change(context) }
    }

    private func historyList(_ request: Request) async throws -> Response {
        let filter = HistoryFilter(query: try FormFields(request.uri.query ?? "").values)
        let hidden = try await service.hiddenKeys()
        let page = try filter.historyQuery(hiddenKeys: hidden).map { try service.history.page($0) }
        return try respond(HistoryListPage(frame: try await frame(), page: page, filter: filter))
    }

    private func change(_ context: DashboardContext) async throws -> Response {
        let hidden = try await service.hiddenKeys()
        guard let id = context.parameters.get("id", as: Int64.self), let record = try service.history.record(id),
            !hidden.contains(record.event.key)
        else { throw RequestRefusal.notFound("change \(context.parameters.get("id") ?? "")") }
        let batch = try service.history.records(batch: record.event.batch, hiddenKeys: hidden)
        return try respond(ChangePage(frame: try await frame(), record: record, batch: batch))
    }
}
