import HTTPTypes
import NIOHTTP1

extension HTTPField.Name {
    /// Which sort of page sent a request, as the browser tells it.
    static let secFetchSite = named("Sec-Fetch-Site")
    /// A host beyond the one that the request's authority was taken from.
    static let host = named("Host")
    /// What a program calls its request, so that a repetition is recognised.
    static let idempotencyKey = named("Idempotency-Key")

    /// A token where `Authorization` has none.
    static let apiKey = named("X-API-Key")

    /// The last event that a listener has (HTML, 9.2.4).
    static let lastEventID = named("Last-Event-ID")
    /// Which sort of answer a script would like (RFC 7240).
    static let prefer = named("Prefer")
    /// That a page asks by itself, perhaps without a person: no use of a session.
    static let unattended = named("Flagboard-Unattended")
    /// Which sources are broken that an export's values would be from, and why: a JSON object.
    static let brokenSources = named("Flagboard-Broken-Sources")

    /// - Precondition: `name` is a token (RFC 9110).
    static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}

extension HTTPRequestHead {
    /// The head with its target as a path, as the rest of the server takes it.
    ///
    /// An absolute target says for which host the request is, whatever `Host` says (RFC 9112, 3.2.2), so its host takes
    /// the place of that one.
    ///
    /// - Throws: `HTTPParserError` where the target is none that a server may be asked for, or the framing is in doubt.
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

/// The headers that keep browsers from doing what no page here needs.
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
