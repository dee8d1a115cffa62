import Foundation
import HTTPTypes
import Hummingbird

/// The cookie that holds a session's identifier.
struct SessionCookie {
    /// Distinct for each port, since a browser sends one server's cookies to every other port of the machine as well.
    let name: String
    private let attributes: String

    /// How many cookies of the name are looked at.
    private static let maximumCount = 8

    /// - Parameters:
    ///   - authority: The host and the port that the request is for.
    ///   - scheme: How the browser reaches the dashboard.
    ///   - mount: The path below which the dashboard is served, which alone gets the cookie.
    init(authority: String?, scheme: Dashboard.Scheme, below mount: MountPath = .root) {
        let port = Self.port(of: authority, scheme)
        // A browser takes a cookie of the prefix __Host- only from this very host, over TLS, and for all of its paths.
        let prefix = mount == .root ? "__Host-" : "__Secure-"
        name = (scheme == .https ? prefix : "") + "flagboard_" + port
        attributes =
            "; Path=\(mount.address(of: "/")); HttpOnly; SameSite=Strict" + (scheme == .https ? "; Secure" : "")
    }

    /// The identifiers that a request holds, each once; one, unless another site has set a cookie of the name too.
    func identifiers(in request: Request) -> [String] {
        request.cookies(named: name, upTo: Self.maximumCount)
    }

    /// The header that sets it, until the browser is closed.
    func setting(_ identifier: String) -> String { "\(name)=\(identifier)\(attributes)" }

    /// The header that removes it.
    var removing: String { "\(name)=\(attributes); Max-Age=0" }

    /// The port that a browser reaches a dashboard by.
    ///
    /// - Returns: The port; the usual one of the scheme where none is told.
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

extension Request {
    /// The values of the cookies of a name, each once.
    ///
    /// A browser sends several of one name where they were set for several paths or by several hosts.
    ///
    /// - Returns: The values that are not empty, in the order of the request: the one of the longest path first.
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

/// The token that a request holds in its head (RFC 6750), or in `X-API-Key`, which clients of OpenFeature send.
enum BearerToken {
    /// Finds it.
    ///
    /// - Returns: The token; an empty one where it is missing or there are several, so that it lets no person in; `nil`
    ///   where the head holds none. What a browser adds by itself for another scheme, such as Basic, is none.
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
