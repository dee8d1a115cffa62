import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

/// Turns whatever a route for machines throws into a problem document (RFC 9457).
struct Problems: RouterMiddleware {
    typealias Context = DashboardContext
    let dashboard: Dashboard

    func handle(
        _ request: Request, context: DashboardContext,
        next: (Request, DashboardContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.utf8.starts(with: Routes.apiPrefix.utf8) else { return try await next(request, context) }
        do {
            return try await next(request, context)
        } catch {
            let refusal = (error as? RefusedChange)?.cause ?? (error as? ChangeRefusal)
            let conflict = refusal.flatMap { ProblemDocument.Conflict($0, asked: (error as? RefusedChange)?.asked) }
            let text = dashboard.text(for: refusal ?? error, request, context)
            // What a form's conflict (409) is, is a precondition that failed where If-Match stated it.
            let status = conflict == nil ? HTTPResponse.Status(code: text.status) : .preconditionFailed
            let document = ProblemDocument(
                title: text.heading, status: status.code, detail: text.message, remedy: text.remedy,
                key: refusal?.key?.text, conflict: conflict)
            var headers: HTTPFields = [:]
            if let refusal = error as? RequestRefusal { headers = refusal.headers }
            return try dashboard.respond(
                json: document, status: status, revision: conflict.map { FlagRevision(rawValue: $0.revision) },
                headers: headers)
        }
    }
}

/// A change that was refused, with what it asked for.
struct RefusedChange: Error {
    let cause: ChangeRefusal
    /// The value; `nil` for a reset.
    let asked: FlagValue?
}
