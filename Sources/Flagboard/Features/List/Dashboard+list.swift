import FeatureFlags
import FlagChanges
import FlagHistory
import Hummingbird

extension Dashboard {
    func flagList(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let filter = FlagFilter(query: query.values)
        let overview = try await service.overview()
        let view = view(of: overview, context)
        return try respond(
            FlagListPage(
                frame: frame(view), view: view, filter: filter,
                lastChanges: try await lastChanges(for: filter.sort, overview),
                saved: savedNotices.take(query["saved"])))
    }

    /// The last change of each flag, where an order asks for that.
    func lastChanges(
        for sort: FlagFilter.Sort, _ overview: FlagOverview
    ) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        guard sort == .changed else { return [:] }
        return try await service.lastChanges(of: overview)
    }
}
