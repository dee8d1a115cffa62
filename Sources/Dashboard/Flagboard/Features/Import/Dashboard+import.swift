import DurableFiles
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// Fills in a kept request when a person returns from its preview.
    func importPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let id = try FormFields(request.uri.query ?? "")["preview"]
        let view = view(of: try await service.overview(), context)
        guard let id, let form = (try keptRequest(id, context) as? ImportPreview)?.form else {
            return try respond(ImportPage(frame: frame(view), view: view))
        }
        return try respond(ImportPage(frame: frame(view), view: view, form: form))
    }

    func previewImport(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form: ImportRequest
        do {
            form = try await ImportRequest(request)
        } catch let error as UnreadableFormError {
            throw RequestError(
                .badRequest, title: "Invalid form", message: error.description,
                remedy: "Nothing was changed. Go back and submit the form again.")
        }
        do {
            let plan = try await plan(form, context)
            // The preview lists left out values too.
            guard plan.changes.isEmpty, plan.leftOut.isEmpty else {
                return try show(ImportPreview(form: form), context)
            }
            let view = view(of: try await service.overview(), context)
            return try respond(ImportPage(frame: frame(view), view: view, form: form, notes: plan.notes))
        } catch let error as FormError<Never> {
            return try await refuse(form, error.text, error.status, context)
        } catch let error as PlainError {
            return try await refuse(form, error.description.uppercasedFirst.asSentence, .unprocessableContent, context)
        } catch let refusal as ChangeError {
            let problem = "\(refusal.description.asSentence) \(refusal.remedy.asSentence)"
            return try await refuse(form, problem, refusal.status, context)
        }
    }

    private func plan(_ form: ImportRequest, _ context: DashboardContext) async throws -> ImportPlan {
        let mode = try form.mode()
        let values = try await ImportedValues.read(form.source())
        return try await service.plan(values, into: form.provider, mode: mode, by: try context.author(.import))
    }

    func importProposal(_ form: ImportRequest, _ context: DashboardContext) async throws -> BatchProposal {
        let plan = try await plan(form, context)
        let isEmpty = plan.changes.isEmpty && plan.leftOut.isEmpty
        return BatchProposal(
            title: "Import into \(plan.provider)", changes: plan.changes, origin: .import, back: PageLink.importing,
            notes: isEmpty ? plan.notes : [plan.summary], leftOut: plan.leftOut, moreLeftOut: plan.moreUnknown)
    }

    private func refuse(
        _ form: ImportRequest, _ problem: String, _ status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        let page = ImportPage(frame: frame(view), view: view, form: form, problem: problem)
        var response = try respond(page, status: status)
        // After no-store, going back would lose the form.
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}

struct ImportPreview: PreviewRequest {
    let form: ImportRequest

    var size: Int { form.text.utf8.count + (form.file?.count ?? 0) }

    func back(keptAs id: String) -> String? { PageLink.importing(again: id) }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        try await dashboard.importProposal(form, context)
    }
}
