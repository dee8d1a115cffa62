import HTTPTypes
import Hummingbird

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
