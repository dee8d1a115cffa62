import FeatureFlags
import FlagChanges
import FlagHistory
import Hummingbird
import Logging

extension Dashboard {
    func flagList(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        var filter = FlagFilter(query: query.values)
        filter.tellUnknown(in: query.values)
        let overview = try await service.overview()
        let view = view(of: overview, context)
        return try respond(
            try await listPage(filter, overview, view, context, saved: savedNotices.take(query["saved"])))
    }

    func listPage(
        _ filter: FlagFilter, _ overview: FlagOverview, _ view: CatalogueView, _ context: DashboardContext,
        saved: ReturnToList.Saved? = nil, form: FlagForm? = nil
    ) async throws(HistoryStoreError) -> FlagListPage {
        let (lastChanges, notice) = await shownLastChanges(for: filter.sort, overview, context)
        return FlagListPage(
            frame: frame(view).adding(notice), view: view, filter: filter, lastChanges: lastChanges, saved: saved,
            opened: try openedRow(in: filter, overview, view, form: form), searches: savedSearches().searches)
    }

    /// `nil` if no row is open, or if its flag doesn't exist.
    private func openedRow(
        in filter: FlagFilter, _ overview: FlagOverview, _ view: CatalogueView, form: FlagForm?
    ) throws(HistoryStoreError) -> OpenedRow? {
        guard let entry = filter.opened.flatMap({ view.catalogue[$0] }) else { return nil }
        // Includes reasons added later.
        let (history, hiddenKeys) = (service.history, overview.hiddenKeys)
        let query = HistoryQuery(
            key: entry.key, exceptKind: .note, hiddenKeys: hiddenKeys, limit: OpenedRow.mostChanges)
        let (changes, notes) = try history.atOneMoment { () throws(HistoryStoreError) in
            let changes = try history.newest(query)
            return (changes, try history.notes(on: changes, hiddenKeys: hiddenKeys))
        }
        return OpenedRow(entry, in: view, filter, records: changes, notes: notes, form: form)
    }

    /// Empty unless the order needs them.
    func lastChanges(
        for sort: FlagFilter.Sort, _ overview: FlagOverview
    ) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        sort.isByChange ? try await service.lastChanges(of: overview) : [:]
    }

    /// Empty unless the order or a column needs them; a notice if the history can't be read, so that the values can.
    func shownLastChanges(
        for sort: FlagFilter.Sort, _ overview: FlagOverview, _ context: DashboardContext
    ) async -> (changes: [FlagKeyPath: LastChange], notice: PageNotice?) {
        guard sort.isByChange || context.settings.listColumns.contains(.changed) else { return ([:], nil) }
        do throws(HistoryStoreError) {
            return (try await service.lastChanges(of: overview), nil)
        } catch {
            context.logger.error("the history is unavailable", metadata: ["error": "\(error)"])
            return ([:], PageNotice("warning", "The last changes can’t be read.", historyProblem))
        }
    }
}
