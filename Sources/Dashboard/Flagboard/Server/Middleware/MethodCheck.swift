import Foundation
import HTTPTypes
import Hummingbird

/// Refuses a method that no address takes, or that this one doesn't, with 405 and the ones that it does.
struct MethodCheck: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let allowed = Route.methods(of: request.uri.path)
        guard allowed.contains(request.method) else {
            // A browser asks so before it sends what a page may not send by itself (Fetch, 4.8).
            let isPreflight =
                request.method == .options && request.headers[.origin] != nil
                && request.headers[.accessControlRequestMethod] != nil
            if isPreflight { throw RequestError.notForOtherOrigins }
            throw RequestError.methodNotAllowed(
                request.method, allowed: allowed, isForPrograms: Route.isForPrograms(request.uri.path))
        }
        return try await next(request, context)
    }
}

/// Refuses a request for a host that is not on the list, with 421.
struct HostCheck: DashboardMiddleware {
    let hosts: HostAllowList

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard request.headers[values: .host].isEmpty else {
            // The first one was taken for the authority; any more say that the request was tampered with.
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request names more than one host.",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        guard let host = request.head.authority, !host.isEmpty else {
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request names no host.",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        guard hosts.allows(host) else {
            throw RequestError(
                .misdirectedRequest, title: "Wrong host",
                message: "Flagboard does not answer under the host \(host).",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        return try await next(request, context)
    }
}

/// Measures how long it takes until the answer to a request begins.
///
/// Hummingbird's own `MetricsMiddleware` names routes by their paths and measures until an answer is sent, which of a stream of
/// events is as long as somebody listens.
struct RequestTimes: DashboardMiddleware {
    let metrics: DashboardMetrics

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        // What is thrown this far out is no answer: the request is not all there, and its connection ends.
        let response = try await next(request, context)
        metrics.requests.record(
            start.duration(to: .now), endpoint: context.endpointPath, path: request.uri.path, status: response.status)
        return response
    }
}

/// A step that every request to the dashboard passes before its route.
protocol DashboardMiddleware: RouterMiddleware where Context == DashboardContext {}

extension DashboardMiddleware {
    /// The rest of the way: the steps after this one, and the route.
    typealias Next = (Request, DashboardContext) async throws -> Response
}

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

/// Puts the headers that keep browsers from doing what no page here needs on every response, errors included.
struct SecurityHeaders: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in SecureField.all { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}

/// Reads which page is asked for, and what the sender has chosen about how pages look, so that every page knows it, a refusal as
/// well; pages tell times in the sender's time zone, and programs are told them in UTC.
struct SettingsLookup: DashboardMiddleware {
    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var context = context
        context.settings = SettingsCookie.settings(in: request)
        if request.method == .get {
            context.asked = AskedPage(address: BrowserAddress(of: request), target: request.uri.string)
        }
        let zone = Route.at(request.uri.path)?.isForPrograms == true ? .gmt : context.settings.timeZone
        let known = context
        return try await PageZone.$current.withValue(zone) { try await next(request, known) }
    }
}
