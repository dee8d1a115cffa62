import HTTPTypes
import Hummingbird

/// Refuses a request that may change something unless a page of this very origin sent it (fetch metadata, else `Origin`).
///
/// Same-site is not enough: every other port of this machine is same-site. A request with a token of its own needs no such
/// proof, since no page of another origin knows one; its cookie is not looked at. Nor does a program that asks the routes
/// for machines: a browser names an origin with whatever may change something, and sends along who signed in.
struct SameOriginCheck: DashboardMiddleware {
    let dashboard: Dashboard
    /// Whether a token in the request's head is what lets it in.
    let takesTokens: Bool

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let isProved = isSameOrigin(request) || hasToken(request) || Self.isFromProgram(request)
        guard Self.isSafe(request.method) || isProved else {
            let isRead = Route.reached(by: request.uri.path)?.operations[request.method]?.isEvaluation == true
            throw RequestError(
                .forbidden, .otherOrigin, title: "Not sent from here",
                message: "The request was not sent by a page of this dashboard, so "
                    + (isRead ? "it is not answered." : "nothing was changed."),
                remedy: isRead
                    ? "Have the page’s own server ask, or send a token: Authorization: Bearer TOKEN."
                    : "Open the flag in the dashboard and make the change there.", isBare: true)
        }
        return try await next(request, context)
    }

    private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head
    }

    private static func isFromProgram(_ request: Request) -> Bool {
        let telling: [HTTPField.Name] = [.secFetchSite, .origin, .cookie]
        return Route.isInAPI(request.uri.path) && telling.allSatisfy { request.headers[$0] == nil }
    }

    private func hasToken(_ request: Request) -> Bool {
        takesTokens && !Route.isForEverybody(request.uri.path) && BearerToken.find(in: request) != nil
    }

    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" }
        guard let origin = request.headers[.origin], let authority = request.head.authority else { return false }
        return dashboard.schemes(of: request).contains { $0.origins(of: authority).contains(origin) }
    }
}
