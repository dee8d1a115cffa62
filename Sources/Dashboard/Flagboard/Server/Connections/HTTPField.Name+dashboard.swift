import HTTPTypes
import NIOHTTP1

extension HTTPField.Name {
    /// The kind of page that sent a request, according to the browser.
    static let secFetchSite = named("Sec-Fetch-Site")
    static let host = named("Host")
    /// Identifies a request, so that a repetition is recognised.
    static let idempotencyKey = named("Idempotency-Key")

    /// A token, if `Authorization` has none.
    static let apiKey = named("X-API-Key")

    /// The last event that a listener received (HTML, 9.2.4).
    static let lastEventID = named("Last-Event-ID")
    /// The kind of answer that a script prefers (RFC 7240).
    static let prefer = named("Prefer")
    /// The page requests by itself, so this is no use of a session.
    static let unattended = named("Flagboard-Unattended")
    /// A JSON object of an export's broken sources with their problems.
    static let brokenSources = named("Flagboard-Broken-Sources")

    /// The addresses that a request came from, according to its proxies.
    static let forwardedFor = named("X-Forwarded-For")
    /// The scheme by which a browser reached the proxy, according to the proxy.
    static let forwardedProto = named("X-Forwarded-Proto")
    static let link = named("Link")
    /// Permission for a proxy to collect an answer before it passes it on.
    static let proxyBuffering = named("X-Accel-Buffering")

    static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a valid header name") }
        return name
    }
}

extension HTTPRequestHead {
    /// Turns the target into a path.
    ///
    /// An absolute target overrides `Host` (RFC 9112, 3.2.2), so its host replaces that one.
    ///
    /// - Throws: `HTTPParserError` for an invalid target or doubtful framing.
    func normalized() throws(HTTPParserError) -> HTTPRequestHead {
        let encodings = headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        if encodings != [], encodings != ["chunked"] || version == .http1_0 { throw .unexpectedContentLength }
        if uri.utf8.first == UInt8(ascii: "/") || method == .CONNECT || (method == .OPTIONS && uri == "*") {
            return self
        }
        let target = uri.utf8
        for scheme in ["http://", "https://"] {
            let start = target.prefix(scheme.utf8.count)
            guard String(Substring(start)).lowercased() == scheme else { continue }
            let rest = target.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { !"/?#".utf8.contains($0) }
            let path = String(Substring(rest.dropFirst(authority.count)))
            var head = self
            head.uri = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
            if headers["host"].count == 1 {
                head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
            }
            return head
        }
        throw .invalidURL
    }
}

/// Headers that forbid browsers what no page here needs.
enum SecureField {
    static let all: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy),
        (.xContentTypeOptions, "nosniff"),
        (.named("X-Frame-Options"), "DENY"),
        (.named("Referrer-Policy"), "same-origin"),
        (.named("Cross-Origin-Opener-Policy"), "same-origin"),
        (.named("Cross-Origin-Resource-Policy"), "same-origin"),
    ]

    private static let policy = [
        "default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}
