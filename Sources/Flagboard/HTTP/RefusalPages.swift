import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

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
        } catch let fault as HTTPParserError {
            // The rest of the request is not there: the connection ends, and there is nothing to show a page on.
            throw fault
        } catch let refusal as RequestRefusal where refusal.isBare {
            let text = RefusalText(
                status: refusal.status.code, title: refusal.title, message: refusal.message, remedy: refusal.remedy,
                typed: refusal.status == .forbidden ? await typedFields(of: request) : [])
            return try respond(BareRefusalPage(text: text), text, refusal.headers)
        } catch let unsaved as UnsavedForm {
            let typed = TypedValue.all(value: unsaved.edit.typedValue, reason: unsaved.edit.reason)
            let text = text(for: unsaved.cause, request, context, typed: typed)
            let flag = text.status == HTTPResponse.Status.notFound.code ? nil : unsaved.key
            return try respond(RefusalPage(frame: await frame(), text: text, flag: flag), text)
        } catch {
            let text = text(for: error, request, context)
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

    private func text(
        for error: any Error, _ request: Request, _ context: DashboardContext, typed: [TypedValue] = []
    ) -> RefusalText {
        func text(_ status: Int, _ title: String, _ message: String, _ remedy: String) -> RefusalText {
            RefusalText(status: status, title: title, message: message, remedy: remedy, typed: typed)
        }
        switch error {
        case let refusal as ChangeRefusal:
            return text(refusal.status.code, refusal.title, refusal.description, refusal.remedy)
        case let refusal as RequestRefusal:
            return text(refusal.status.code, refusal.title, refusal.message, refusal.remedy)
        case let error as FormFieldsError:
            return text(400, "Unreadable form", error.description, "Go back and send the form again.")
        case let error as HistoryStoreError:
            // Its description may name flags that must not be named here.
            context.logger.error("the history can't be used", metadata: ["error": "\(error)"])
            return text(
                error.isFull ? 507 : 503, "History not available",
                "The history \(dashboard.service.files.history.lastPathComponent) can’t be used now; the cause is in "
                    + "Flagboard’s log.",
                "Make the history file available, then try again.")
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            return text(
                413, "Too large",
                "What was sent is larger than the \(FlagEdit.maximumBytes / 1024 / 1024) MiB that a form may hold, so "
                    + "nothing was changed.",
                "Go back, where the form still holds what you typed, and shorten the value.")
        case let error as any HTTPResponseError where error.status == .notFound:
            let refusal = RequestRefusal.notFound("page \(request.uri.path)")
            return text(404, refusal.title, refusal.message, refusal.remedy)
        case let error as HTTPError:
            return text(
                error.status.code, error.status.reasonPhrase, error.body ?? "The request can't be answered.",
                "Go back and try again.")
        default:
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return text(
                500, "Something went wrong", "The request could not be answered; the cause is in Flagboard's log.",
                "Try again; if it stays, report it with what the log says.")
        }
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
