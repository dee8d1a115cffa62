import Hummingbird

/// What a request says of how its browser reaches the dashboard.
struct BrowserAddress: Hashable, Sendable {
    /// The host and the port; `nil` where the request names none.
    let authority: String?
    private let origin: String?
    private let hasFetchMetadata: Bool

    init(of request: Request) {
        authority = request.head.authority
        origin = request.headers[.origin]
        hasFetchMetadata = request.headers[.secFetchSite] != nil
    }

    /// The schemes by which the browser may reach the dashboard: the one of the request's `Origin`, where it is one by which its
    /// host is reached.
    ///
    /// - Returns: One, unless the host may be reached by both and the request does not tell.
    fileprivate func schemes(_ hosts: HostAllowList, servedBy scheme: Dashboard.Scheme) -> [Dashboard.Scheme] {
        guard let authority else { return [scheme] }
        let known = hosts.schemes(of: authority, servedBy: scheme)
        guard known.count > 1 else { return known }
        // Browsers send fetch metadata to addresses alone that they trust, and to no unencrypted one of another machine.
        guard let origin else { return hasFetchMetadata ? [.https] : known }
        let named = known.filter { $0.origins(of: authority).contains(origin) }
        return named.isEmpty ? known : named
    }
}

extension Dashboard {
    /// The schemes by which the browser that sends a request may reach the dashboard.
    ///
    /// - Returns: One, unless the request's host may be reached by both and the request does not tell.
    func schemes(of request: Request) -> [Scheme] {
        BrowserAddress(of: request).schemes(hosts, servedBy: scheme)
    }

    /// How the browser that sends a request reaches the dashboard; as the server answers, where the request does not tell.
    func scheme(of request: Request) -> Scheme { scheme(of: BrowserAddress(of: request)) }

    /// How a browser reaches the dashboard; as the server answers, where that is not known.
    func scheme(of address: BrowserAddress) -> Scheme {
        let schemes = address.schemes(hosts, servedBy: scheme)
        return schemes.count == 1 ? schemes[0] : scheme
    }
}

extension Dashboard.Scheme {
    /// The origins of the pages of a host, as browsers write them: without the usual port, which a proxy may add.
    func origins(of authority: String) -> [String] {
        let usual = ":\(defaultPort)"
        let names = authority.hasSuffix(usual) ? [authority, String(authority.dropLast(usual.count))] : [authority]
        return names.map { "\(rawValue)://\($0)" }
    }
}

extension Dashboard {
    /// How browsers reach a dashboard.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Encrypted by TLS.
        case https
        /// In clear text.
        case http

        /// The port that an address need not name.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }
}
