import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

extension Dashboard {
    func comparePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let view = view(of: try await service.overview(), context)
        var filter = CompareFilter(query: query.values, providers: view.catalogue.providers)
        filter.tellUnknown(in: query.values)
        return try respond(ComparePage(frame: frame(view), view: view, filter: filter))
    }

    /// Previews a copy, or shows the comparison again when there is nothing to copy.
    func copyAcross(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await ChoiceForm(request)
        let view = view(of: try await service.overview(), context)
        let copy = CopyRequest(form, in: view)
        switch copy.proposal(in: view) {
        case .success: return try show(CopyPreview(form: form), context)
        case .failure(let refusal):
            let page = ComparePage(
                frame: frame(view.asked(for: copy.filter.href, by: request)), view: view, filter: copy.filter,
                problem: refusal.text, chosen: Set(form.keys))
            return try respond(page, status: refusal.status)
        }
    }

    func copyProposal(_ form: ChoiceForm, _ context: DashboardContext) async throws -> BatchProposal {
        let view = view(of: try await service.overview(), context)
        let copy = CopyRequest(form, in: view)
        return try copy.proposal(in: view).mapError {
            EmptyPreviewError(title: "Copy across", notes: [$0.text], back: copy.filter.href)
        }.get()
    }
}

struct CopyPreview: PreviewRequest {
    let form: ChoiceForm

    var size: Int { form.keys.reduce(0) { $0 + $1.text.utf8.count } }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        try await dashboard.copyProposal(form, context)
    }
}
