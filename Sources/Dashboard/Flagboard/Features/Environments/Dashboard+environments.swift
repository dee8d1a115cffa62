import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

extension Dashboard {
    func environmentsPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let view = view(of: try await service.overview(), context)
        var filter = EnvironmentFilter(
            query: query.values, environments: EnvironmentMatrix.environments(view.catalogue))
        filter.tellUnknown(in: query.values)
        return try respond(EnvironmentsPage(frame: frame(view), view: view, filter: filter))
    }

    /// Previews a copy, or shows the environments again when there is nothing to copy.
    func copyBetweenEnvironments(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await ChoiceForm(request)
        let view = view(of: try await service.overview(), context)
        let copy = try EnvironmentCopy(form, in: view)
        switch copy.proposal(in: view) {
        case .success: return try show(EnvironmentCopyPreview(form: form), context)
        case .failure(let refusal):
            let page = EnvironmentsPage(
                frame: frame(view.asked(for: copy.filter.href, by: request)), view: view, filter: copy.filter,
                problem: refusal.text, copy: copy.chosen,
                chosen: Set(form.keys))
            return try respond(page, status: refusal.status)
        }
    }

    func environmentProposal(_ form: ChoiceForm, _ context: DashboardContext) async throws -> BatchProposal {
        let view = view(of: try await service.overview(), context)
        let copy = try EnvironmentCopy(form, in: view)
        return try copy.proposal(in: view).mapError {
            EmptyPreviewError(title: "Copy between environments", notes: [$0.text], back: copy.filter.href)
        }.get()
    }
}

struct EnvironmentCopyPreview: PreviewRequest {
    let form: ChoiceForm

    var size: Int { form.keys.reduce(0) { $0 + $1.text.utf8.count } }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        try await dashboard.environmentProposal(form, context)
    }
}
