import Foundation
import HTTPTypes
import Hummingbird

/// Refuses a method that the address does not take, with 405 and `Allow`.
struct MethodCheck: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let allowed = Route.methods(of: request.uri.path)
        guard allowed.contains(request.method) else {
            if let method = request.askedMethod { throw RequestError.notForOtherOrigins(method, request.uri.path) }
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
            // The authority is the first `Host`; more of them indicate tampering.
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request has more than one host name.",
                remedy: "Open the address that Flagboard printed at startup.", isBare: true)
        }
        guard let host = request.head.authority, !host.isEmpty else {
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request has no host name.",
                remedy: "Open the address that Flagboard printed at startup.", isBare: true)
        }
        // Platforms check health and read metrics at an IP address, which no foreign page can point elsewhere.
        let isCheck =
            [Route.health.path, Route.metrics.path].contains(request.uri.path) && AddressRange.isAddress(ofHost: host)
        guard hosts.allows(host) || isCheck else {
            throw RequestError(
                .misdirectedRequest, title: "Wrong host",
                message: "Flagboard doesn’t accept the host name \(host).",
                remedy:
                    "Open the address that Flagboard printed at startup. Behind a proxy, have it pass on the browser’s "
                    + "Host with its port, and start Flagboard with --public-url.", isBare: true)
        }
        return try await next(request, context)
    }
}

/// Measures the time until a response begins.
///
/// Hummingbird's `MetricsMiddleware` labels routes by path and measures until the end, which in a stream of events
/// depends on the listener.
struct RequestTimes: DashboardMiddleware {
    let metrics: DashboardMetrics

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        // Errors this far out get no answer, since the connection ends.
        let response = try await next(request, context)
        metrics.requests.record(
            start.duration(to: .now), endpoint: context.endpointPath, path: request.uri.path, status: response.status)
        return response
    }
}

protocol DashboardMiddleware: RouterMiddleware where Context == DashboardContext {}

extension DashboardMiddleware {
    typealias Next = (Request, DashboardContext) async throws -> Response
}

/// Refuses changing requests unless a page of this very origin sent them (fetch metadata, else `Origin`).
///
/// Same-site is not enough: every other port of this machine is same-site. A token proves enough without an `Origin` of
/// other pages, and makes the cookie ignored. API requests of programs are exempt: they have neither the cookies nor the
/// origin that browsers would send.
struct SameOriginCheck: DashboardMiddleware {
    let dashboard: Dashboard
    /// A token in the `Authorization` header authenticates.
    let takesTokens: Bool

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let isProved = isSameOrigin(request) || isProvedByToken(request) || Self.isFromProgram(request)
        guard Self.isSafe(request.method) || isProved || isReadOfAllowedOrigin(request) else {
            if Self.isRead(request) { throw RequestError.readOfOtherOrigin }
            if let publicURL = dashboard.publicURL, isWithoutHost(of: publicURL, request) {
                throw RequestError.hostNotPassedOn(publicURL, request.head.authority ?? "")
            }
            throw hasToken(request) ? RequestError.changeOfOtherOrigin : RequestError.notOfThisDashboard
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

    /// A page of another origin may know a token, but may only read with it.
    private func isProvedByToken(_ request: Request) -> Bool {
        guard hasToken(request) else { return false }
        guard let origin = request.headers[.origin], !Self.isRead(request) else { return true }
        return origin == dashboard.publicURL?.origin || hasOwnOrigin(request)
    }

    private static func isRead(_ request: Request) -> Bool {
        Route.reached(by: request.uri.path)?.methodsOfReads.contains(request.method) == true
    }

    /// The scripts of these origins read without cookies.
    private func isReadOfAllowedOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin] else { return false }
        return dashboard.otherOrigins.contains(origin) && Self.isRead(request)
    }

    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" }
        return hasOwnOrigin(request)
    }

    private func isWithoutHost(of publicURL: PublicURL, _ request: Request) -> Bool {
        request.headers[.secFetchSite] == nil && request.headers[.origin] == publicURL.origin
    }

    /// Compares `Origin` with the host that the request names.
    private func hasOwnOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let authority = request.head.authority else { return false }
        return dashboard.schemes(of: request).contains { $0.origins(of: authority).contains(origin) }
    }
}

extension RequestError {
    fileprivate static let notOfThisDashboard = crossSite(
        "The request was not sent by a page of this dashboard, so nothing was changed.",
        remedy: "Open the flag in the dashboard and make the change there.")

    fileprivate static let readOfOtherOrigin = crossSite(
        "The request was not sent by a page of this dashboard, so it was refused.",
        remedy: "Start Flagboard with --cors-origin and the page’s origin, or use a token: Authorization: Bearer TOKEN."
    )

    fileprivate static let changeOfOtherOrigin = crossSite(
        "The request’s Origin header names another site, whose pages can’t change anything here even with a token, so "
            + "nothing was changed.",
        remedy: "Send the request from a server or a program, without an Origin header.")

    fileprivate static func hostNotPassedOn(_ publicURL: PublicURL, _ host: String) -> RequestError {
        crossSite(
            "The request came from a page of \(publicURL.origin), but its Host header is \(host), so nothing was changed.",
            remedy:
                "The proxy probably doesn’t pass on the Host that the browser sent. Configure it to, in nginx with: "
                + "proxy_set_header Host $http_host;")
    }

    private static func crossSite(_ message: String, remedy: String) -> RequestError {
        RequestError(
            .forbidden, .otherOrigin, title: "Cross-site request", message: message, remedy: remedy, isBare: true)
    }
}

struct SecurityHeaders: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in SecureField.all { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}

/// Reads the requested page and the sender's settings first, so that refusals have them too.
///
/// Pages show times in the sender's zone, programs get UTC.
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
