import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Turns whatever a route throws into a page that says what is wrong and what to do.
struct RefusalPages: RouterMiddleware {
    typealias Context = DashboardContext
    let dashboard: Dashboard

    func handle(
        _ request: Request, context: DashboardContext,
        next: (Request, DashboardContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as RequestRefusal where refusal.isBare {
            let text = RefusalText(
                status: refusal.status.code, title: refusal.title, message: refusal.message, remedy: refusal.remedy,
                typed: refusal.status == .forbidden ? await typedFields(of: request) : [])
            return try respond(BareRefusalPage(text: text), text, refusal.headers)
        } catch let unsaved as UnsavedForm {
            let typed = TypedValue.all(value: unsaved.edit.typedValue, reason: unsaved.edit.reason)
            let text = dashboard.text(for: unsaved.cause, request, context, typed: typed)
            let flag = text.status == HTTPResponse.Status.notFound.code ? nil : unsaved.key
            return try respond(RefusalPage(frame: await frame(), text: text, flag: flag), text)
        } catch {
            let text = dashboard.text(for: error, request, context)
            // What was posted to a flag's address was sent from its page, whose link tells nothing new.
            let flag = request.method == .post && text.status != 404 ? Dashboard.key(in: request) : nil
            return try respond(RefusalPage(frame: await frame(), text: text, flag: flag), text)
        }
    }

    private func respond(_ page: some PageModel, _ text: RefusalText, _ headers: HTTPFields = [:]) throws -> Response {
        var response = try dashboard.respond(page, status: HTTPResponse.Status(code: text.status))
        for field in headers { response.headers[field.name] = field.value }
        return response
    }

    /// What a flag's form held that another page sent, for a person whose browser hides where it comes from.
    private func typedFields(of request: Request) async -> [TypedValue] {
        guard Dashboard.key(in: request) != nil else { return [] }
        do {
            let edit = try await FlagEdit(request)
            return TypedValue.all(value: edit.typedValue, reason: edit.reason)
        } catch {
            return []
        }
    }

    /// A page about a failure must not fail for the same cause.
    private func frame() async -> PageFrame {
        do {
            return try await dashboard.frame()
        } catch {
            return PageFrame(fileName: dashboard.service.files.values.lastPathComponent, providers: [])
        }
    }
}
