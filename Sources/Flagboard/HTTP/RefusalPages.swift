import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

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
        } catch {
            let page = await page(for: error, request, context)
            return try dashboard.respond(page, status: HTTPResponse.Status(code: page.status))
        }
    }

    private func page(for error: any Error, _ request: Request, _ context: DashboardContext) async -> RefusalPage {
        let frame = await frame()
        switch error {
        case let refusal as ChangeRefusal:
            return RefusalPage(
                frame: frame, status: refusal.status.code, title: refusal.title, message: refusal.description,
                remedy: refusal.remedy, flag: refusal.reason == .unknown ? nil : refusal.key)
        case let refusal as RequestRefusal:
            return RefusalPage(
                frame: frame, status: refusal.status.code, title: refusal.title, message: refusal.message,
                remedy: refusal.remedy)
        case let error as FormFieldsError:
            return RefusalPage(
                frame: frame, status: 400, title: "Unreadable form", message: error.description,
                remedy: "Go back and send the form again.")
        case let error as HistoryStoreError:
            return RefusalPage(
                frame: frame, status: error.isFull ? 507 : 503, title: "History not available",
                message: error.description, remedy: "Make the history file available, then try again.")
        case let error as HTTPError where error.status == .notFound:
            let refusal = RequestRefusal.notFound("page \(request.uri.path)")
            return RefusalPage(
                frame: frame, status: 404, title: refusal.title, message: refusal.message, remedy: refusal.remedy)
        case is NIOTooManyBytesError:
            return RefusalPage(
                frame: frame, status: 413, title: "Too large",
                message: "What was sent is larger than the \(FlagEdit.maximumBytes / 1024) KiB that a form may hold.",
                remedy: "Shorten the value; nothing was changed.")
        case let error as HTTPError:
            return RefusalPage(
                frame: frame, status: error.status.code, title: error.status.reasonPhrase,
                message: error.body ?? "The request can't be answered.", remedy: "Go back and try again.")
        default:
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return RefusalPage(
                frame: frame, status: 500, title: "Something went wrong",
                message: "The request could not be answered; the cause is in Flagboard's log.",
                remedy: "Try again; if it stays, report it with what the log says.")
        }
    }

    /// A page about a failure must not fail for the same cause.
    private func frame() async -> PageFrame {
        do {
            return try await dashboard.frame()
        } catch {
            return PageFrame(
                fileName: dashboard.service.files.values.lastPathComponent, providers: [],
                readOnlyReason: "\(error)")
        }
    }
}
