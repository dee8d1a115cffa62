import FlagChanges
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Turns whatever a route for machines throws into a problem document (RFC 9457).
struct ErrorDocuments: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard Route.isInAPI(request.uri.path) else { return try await next(request, context) }
        do {
            return try await next(request, context)
        } catch let refusal as AppRefusal {
            throw refusal
        } catch let fault as HTTPParserError {
            // The rest of the request is not there: the connection ends, and there is nothing to answer.
            throw fault
        } catch let refusal as SignInError {
            throw refusal
        } catch let refusal as ChangeError {
            return try respond(ProblemDocument(refusal))
        } catch let refusal as BatchError {
            return try respond(ProblemDocument(refusal.cause, changes: refusal.changes))
        } catch {
            let text = dashboard.text(for: error, request, context)
            let document = ProblemDocument(
                code: ProblemCode(error, HTTPResponse.Status(code: text.status)), title: text.heading,
                status: text.status, detail: text.message, remedy: text.remedy, key: nil,
                problems: nil, conflict: nil, changes: nil)
            return try respond(document, (error as? RequestError)?.headers ?? [:])
        }
    }

    private func respond(_ document: ProblemDocument, _ headers: HTTPFields = [:]) throws -> Response {
        dashboard.respond(
            json: document, status: HTTPResponse.Status(code: document.status),
            revision: document.conflict.map { FlagRevision(rawValue: $0.revision) }, headers: headers)
    }
}
