import Hummingbird

/// Evidence of how a request's browser reaches the dashboard.
struct BrowserAddress: Hashable, Sendable {
    /// The host and port; `nil` if the request names none.
    let authority: String?
    private let origin: String?
    private let hasFetchMetadata: Bool
    /// As a trusted proxy says; other senders' claims are dropped earlier.
    private let forwardedScheme: Dashboard.Scheme?

    init(of request: Request) {
        authority = request.head.authority
        origin = request.headers[.origin]
        hasFetchMetadata = request.headers[.secFetchSite] != nil
        forwardedScheme = request.headers[.forwardedProto].flatMap { Dashboard.Scheme(rawValue: $0.lowercased()) }
    }

    /// Returns the possible schemes, narrowed down by the request's `Origin`.
    ///
    /// Two remain only if the request does not decide.
    fileprivate func schemes(_ hosts: HostAllowList, servedBy scheme: Dashboard.Scheme) -> [Dashboard.Scheme] {
        guard let authority else { return [scheme] }
        let known = hosts.schemes(of: authority, servedBy: scheme)
        guard known.count > 1 else { return known }
        if let forwardedScheme, known.contains(forwardedScheme) { return [forwardedScheme] }
        // Browsers send fetch metadata only to trustworthy addresses: never to another machine in clear text.
        guard let origin else { return hasFetchMetadata ? [.https] : known }
        let named = known.filter { $0.origins(of: authority).contains(origin) }
        return named.isEmpty ? known : named
    }
}

extension Dashboard {
    /// Returns the sending browser's possible schemes; two only if the request does not decide.
    func schemes(of request: Request) -> [Scheme] {
        BrowserAddress(of: request).schemes(hosts, servedBy: scheme)
    }

    /// Returns the sending browser's scheme, by default the server's own.
    func scheme(of request: Request) -> Scheme { scheme(of: BrowserAddress(of: request)) }

    /// Returns the browser's scheme, by default the server's own.
    func scheme(of address: BrowserAddress) -> Scheme {
        let schemes = address.schemes(hosts, servedBy: scheme)
        return schemes.count == 1 ? schemes[0] : scheme
    }
}

extension Dashboard.Scheme {
    /// Returns a host's origins, with and without the default port, which browsers omit and proxies may add.
    func origins(of authority: String) -> [String] {
        let usual = ":\(defaultPort)"
        let names = authority.hasSuffix(usual) ? [authority, String(authority.dropLast(usual.count))] : [authority]
        return names.map { "\(rawValue)://\($0)" }
    }
}

extension Dashboard {
    /// The scheme by which browsers reach a dashboard.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Encrypted by TLS.
        case https
        /// In clear text.
        case http

        package var defaultPort: Int { self == .http ? 80 : 443 }
    }
}
