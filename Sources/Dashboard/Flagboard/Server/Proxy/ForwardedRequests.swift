import HTTPTypes
import Hummingbird

/// Reads the client's address and scheme from the headers of trusted proxies, and drops other senders' headers.
struct ForwardedRequests: DashboardMiddleware {
    let proxies: TrustedProxies

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let forwarded = request.headers[values: .forwardedFor]
        guard !forwarded.isEmpty || request.headers[.forwardedProto] != nil else {
            return try await next(request, context)
        }
        guard proxies.contain(context.address) else {
            var head = request.head
            (head.headerFields[.forwardedFor], head.headerFields[.forwardedProto]) = (nil, nil)
            return try await next(Request(head: head, body: request.body), context)
        }
        var context = context
        context.forwardedAddress = proxies.client(of: context.address, forwarded: forwarded)
        return try await next(request, context)
    }
}
