import FlagChanges
import Hummingbird

extension Dashboard {
    func previewSelection(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await SelectionRequest(request)
        let overview = try await service.overview()
        let selection: Selection
        do throws(FormError<SelectionRequest.Place>) {
            selection = try form.selection(in: view(of: overview, context))
        } catch {
            return try await listAgain(form, error, overview, context)
        }
        return try show(selection, context)
    }

    private func listAgain(
        _ form: SelectionRequest, _ problem: FormError<SelectionRequest.Place>, _ overview: FlagOverview,
        _ context: DashboardContext
    ) async throws -> Response {
        let view = view(of: overview, context)
        let filter = form.list
        let (lastChanges, notice) = await shownLastChanges(for: filter.sort, overview, context)
        let page = FlagListPage(
            frame: frame(view).adding(notice), view: view, filter: filter, lastChanges: lastChanges,
            refused: RefusedSelection(form: form, problem: problem), searches: savedSearches().searches)
        // Without the form, nothing on the page could be corrected.
        guard page.selection != nil else {
            throw RequestError(
                .unprocessableContent, title: "Nothing to preview", message: problem.text,
                remedy: "Nothing was changed. Select flags in the list and try again.")
        }
        return try respond(page, status: .unprocessableContent)
    }
}
