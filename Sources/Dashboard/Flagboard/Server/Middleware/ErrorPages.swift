import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns whatever a route throws into a page that says what is wrong and what to do.
struct ErrorPages: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as AppRefusal {
            throw refusal
        } catch let fault as HTTPParserError {
            // The rest of the request is not there: the connection ends, and there is nothing to show a page on.
            throw fault
        } catch let refusal as RequestError where refusal.isBare {
            let text = ErrorText(
                status: refusal.status.code, title: refusal.title, message: refusal.message, remedy: refusal.remedy,
                typed: refusal.status == .forbidden ? await TypedValue.all(in: request) : [])
            return try respond(BareErrorPage(text: text, settings: context.settings), text, refusal.headers)
        } catch let refusal as SignInError {
            return try await dashboard.answer(to: refusal, request)
        } catch let unsaved as RefusedForm {
            let text = dashboard.text(for: unsaved.cause, request, context, typed: unsaved.typed)
            let flag = text.status == HTTPResponse.Status.notFound.code ? nil : unsaved.key
            let link = (unsaved.cause as? RequestError)?.link
            return try respond(ErrorPage(frame: await frame(context), text: text, flag: flag, next: link), text)
        } catch {
            let text = dashboard.text(for: error, request, context)
            guard context.visitor != nil else {
                return try respond(BareErrorPage(text: text, settings: context.settings), text)
            }
            // What was posted to a flag's address was sent from its page, whose link tells nothing new.
            let flag = request.method == .post && text.status != 404 ? Dashboard.key(in: request) : nil
            let link = (error as? RequestError)?.link
            return try respond(ErrorPage(frame: await frame(context), text: text, flag: flag, next: link), text)
        }
    }

    private func respond(_ page: some PageModel, _ text: ErrorText, _ headers: HTTPFields = [:]) throws -> Response {
        var response = try dashboard.respond(page, status: HTTPResponse.Status(code: text.status))
        for field in headers { response.headers[field.name] = field.value }
        return response
    }

    /// A page about a failure must not fail for the same cause.
    private func frame(_ context: DashboardContext) async -> PageFrame {
        do {
            var context = context
            // A refusal is nothing to pass on.
            context.asked = nil
            return try await dashboard.frame(context)
        } catch {
            return PageFrame(
                fileName: dashboard.service.files.values.lastPathComponent, providers: [], visitor: context.visitor,
                banner: dashboard.banner, settings: context.settings)
        }
    }
}
