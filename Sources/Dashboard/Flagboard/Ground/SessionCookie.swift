import Foundation
import HTTPTypes
import Hummingbird

struct SessionCookie {
    /// Distinct for each port, since browsers send one server's cookies to every other port of the machine too.
    let name: String
    private let attributes: String

    private static let maximumCount = 8

    /// Browsers send the cookie only below the mount path.
    init(authority: String?, scheme: Dashboard.Scheme, below mount: MountPath = .root) {
        let port = Self.port(of: authority, scheme)
        // Browsers take a cookie prefixed with __Host- only from this very host, over TLS, and for all paths.
        let prefix = mount == .root ? "__Host-" : "__Secure-"
        name = (scheme == .https ? prefix : "") + "flagboard_" + port
        attributes =
            "; Path=\(mount.address(of: "/")); HttpOnly; SameSite=Strict" + (scheme == .https ? "; Secure" : "")
    }

    /// Returns the distinct identifiers; several only if another site set the same cookie.
    func identifiers(in request: Request) -> [String] {
        request.cookies(named: name, upTo: Self.maximumCount)
    }

    func setting(_ identifier: String) -> String { "\(name)=\(identifier)\(attributes)" }

    var removing: String { "\(name)=\(attributes); Max-Age=0" }

    static func port(of authority: String?, _ scheme: Dashboard.Scheme) -> String {
        authority.flatMap(port) ?? String(scheme.defaultPort)
    }

    private static func port(of authority: String) -> String? {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let end = authority.utf8[authority.utf8.index(after: colon)...]
        let isNumber = !end.isEmpty && end.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(end) : nil
    }
}

extension Dashboard {
    /// Returns the cookie of a session that begins or ends with a request.
    func sessionCookie(of request: Request) -> SessionCookie { sessionCookie(at: cookieAddress(of: request)) }

    /// Returns the identifiers of the browser's sessions.
    func sessions(of request: Request) -> [String] {
        // A session begun over TLS is never looked up in clear text.
        let found = cookieAddresses(of: request).lazy.map { sessionCookie(at: $0).identifiers(in: request) }
        return found.first { !$0.isEmpty } ?? []
    }

    private func sessionCookie(at address: CookieAddress) -> SessionCookie {
        SessionCookie(authority: address.authority, scheme: address.scheme, below: mount)
    }
}

extension Request {
    /// Returns the distinct non-empty cookies of a name.
    ///
    /// Browsers send several, set for different paths or by different hosts, the longest path first.
    func cookies(named name: String, upTo maximum: Int) -> [String] {
        var found: [String] = []
        for header in headers[values: .cookie] {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard found.count < maximum, pair.starts(with: "\(name)=".utf8) else { continue }
                let value = String(pair.dropFirst(name.utf8.count + 1)) ?? ""
                if !value.isEmpty, !found.contains(value) { found.append(value) }
            }
        }
        return found
    }
}

/// The token in a request's `Authorization` header (RFC 6750), or in `X-API-Key`, which OpenFeature clients send.
enum BearerToken {
    /// A missing or ambiguous token is empty, which lets no person in; `nil` without either header.
    ///
    /// Other schemes don't count, such as Basic, which browsers add by themselves.
    static func find(in request: Request) -> String? {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else {
            let keys = request.headers[values: .apiKey]
            return keys.first.map { keys.count == 1 ? $0 : "" }
        }
        guard headers.count == 1 else { return "" }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1]) : ""
    }
}
