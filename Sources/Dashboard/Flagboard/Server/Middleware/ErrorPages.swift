import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

struct ErrorPages: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as AppRefusal {
            throw refusal
        } catch let fault as HTTPParserError {
            // The request is incomplete and its connection ends.
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
            // Posts to a flag's address come from its page, so the link reveals nothing.
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

    /// Returns the frame, without flags if those would make the error page fail too.
    private func frame(_ context: DashboardContext) async -> PageFrame {
        do {
            var context = context
            // A refusal is nothing to share.
            context.asked = nil
            return try await dashboard.frame(context)
        } catch {
            return PageFrame(
                fileName: dashboard.service.files.values.lastPathComponent, providers: [], visitor: context.visitor,
                banner: dashboard.banner, settings: context.settings)
        }
    }
}

extension Dashboard {
    var historyProblem: String {
        "Can’t use the history \(service.files.history.lastPathComponent). See Flagboard’s log for the cause."
    }

    /// Internal details go to the log.
    func text(
        for error: any Error, _ request: Request, _ context: DashboardContext, typed: [TypedValue] = []
    ) -> ErrorText {
        func text(_ status: Int, _ title: String, _ message: String, _ remedy: String) -> ErrorText {
            ErrorText(status: status, title: title, message: message, remedy: remedy, typed: typed)
        }
        switch error {
        case let refusal as ChangeError:
            return text(refusal.status.code, refusal.title, refusal.description, refusal.remedy)
        case let refusal as RequestError:
            return text(refusal.status.code, refusal.title, refusal.message, refusal.remedy)
        case let error as UnreadableFormError:
            return request.method == .post
                ? text(400, "Invalid form", error.description, "Go back and send the form again.")
                : text(400, "Invalid address", error.description, "Correct the part after the question mark.")
        case let error as HistoryStoreError:
            // The description may name flags that must stay hidden.
            context.logger.error("the history is unavailable", metadata: ["error": "\(error)"])
            return text(
                error.isFull ? 507 : 503, "History unavailable", historyProblem,
                "Make the history file available, then try again.")
        case let error as any HTTPResponseError
        where error.status == .contentTooLarge && Route.isInAPI(request.uri.path):
            return text(413, "Too large", "The body is too large.", "Send less at once.")
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            return text(
                413, "Too large",
                "The form is too large. Nothing was changed.",
                "Go back and shorten the text, which is still in the form. The limit is "
                    + "\(FormFields.maximumBytes / 1024 / 1024) MB.")
        case let error as any HTTPResponseError where error.status == .notFound:
            let refusal = RequestError.notFound("page \(request.uri.path)")
            return text(404, refusal.title, refusal.message, refusal.remedy)
        case let error as HTTPError:
            return text(
                error.status.code, error.status.reasonPhrase, error.body ?? "Can't process the request.",
                "Go back and try again.")
        default:
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return text(
                500, "Something went wrong", "Can’t complete the request. See Flagboard’s log for the cause.",
                "Try again. If it keeps failing, report it with the log.")
        }
    }
}
