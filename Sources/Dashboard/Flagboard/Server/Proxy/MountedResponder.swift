import HTTPTypes
import Hummingbird

/// Serves a dashboard below the path of its public address.
///
/// Checks of health and metrics, which don't pass the proxy, may omit the path.
struct MountedResponder<Responder: HTTPResponder>: HTTPResponder where Responder.Context == DashboardContext {
    let mount: MountPath
    let publicURL: PublicURL?
    let responder: Responder

    /// The cookie of a browser that was just redirected to the first page.
    private static var sentHome: String { "flagboard_sent_home=1" }

    func respond(to request: Request, context: DashboardContext) async throws -> Response {
        guard mount != .root else { return try await responder.respond(to: request, context: context) }
        if let inner = mount.request(request) {
            return mount.response(try await responder.respond(to: inner, context: context))
        }
        let path = request.uri.path
        if [Route.health.path, Route.metrics.path].contains(path) {
            return try await responder.respond(to: request, context: context)
        }
        let wasSentHome = request.headers[.cookie]?.contains(Self.sentHome) ?? false
        if let redirect = mount.redirectHome(request, from: [mount.text]) { return redirect }
        if !wasSentHome, var redirect = mount.redirectHome(request, from: ["/"]) {
            // A proxy that removes the path leads back here.
            redirect.headers[.setCookie] = "\(Self.sentHome); Path=/; Max-Age=3; HttpOnly; SameSite=Lax"
            return redirect
        }
        let home = publicURL?.description ?? mount.address(of: PageLink.flags)
        let advice =
            publicURL == nil
            ? ""
            : " If the proxy was asked for that, it removes \(mount.text) from the address; have it pass on the whole one "
                + "(nginx: proxy_pass without a path)."
        let text = "Flagboard is at \(home).\(advice)\n"
        return Response(
            status: .notFound, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension MountPath {
    /// Removes this path from the address and the `Referer`; `nil` for a request outside of it.
    func request(_ request: Request) -> Request? {
        guard let path = inner(request.uri.path) else { return nil }
        var head = request.head
        head.path = request.uri.query.map { "\(path)?\($0)" } ?? path
        if let referer = head.headerFields[.referer] { head.headerFields[.referer] = self.referer(referer) }
        return Request(head: head, body: request.body)
    }

    /// `nil` for a page outside of this path.
    private func referer(_ address: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        return inner(String(rest[host.endIndex...])).map { address[..<host.endIndex] + $0 }
    }

    /// Adds this path to `Location`.
    func response(_ response: Response) -> Response {
        guard let location = response.headers[.location] else { return response }
        var response = response
        response.headers[.location] = address(of: location)
        return response
    }

    /// Redirects a browser to the first page, with the query; `nil` for any other request.
    func redirectHome(_ request: Request, from paths: Set<String>) -> Response? {
        guard paths.contains(request.uri.path), request.method == .get || request.method == .head else { return nil }
        let query = request.uri.query.map { "?\($0)" } ?? ""
        return Response(status: .seeOther, headers: [.location: "\(text)/\(query)", .cacheControl: "no-store"])
    }
}
