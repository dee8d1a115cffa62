import Foundation
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
        // Of a chain of proxies, the first saw the browser.
        forwardedScheme = request.headers[.forwardedProto].flatMap { schemes in
            let first = schemes.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)
            return Dashboard.Scheme(rawValue: first.lowercased())
        }
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

    /// Returns whether the browser uses a public address that isn't in `Host`; `nil` if the request does not decide.
    ///
    /// - Parameter schemes: The schemes of the host that the request names.
    fileprivate func isAt(_ publicURL: PublicURL, ratherThanBy schemes: [Dashboard.Scheme]) -> Bool? {
        if forwardedScheme == publicURL.scheme || origin == publicURL.origin { return true }
        if forwardedScheme != nil { return false }
        guard let origin, let authority else { return nil }
        return schemes.contains { $0.origins(of: authority).contains(origin) } ? false : nil
    }
}

/// An address for which a browser keeps cookies.
struct CookieAddress: Hashable, Sendable {
    let scheme: Dashboard.Scheme
    /// The host and port; `nil` if the request names none.
    let authority: String?
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

    /// Returns whether the browser uses the encrypted public address behind a proxy that doesn't pass on its `Host`;
    /// `nil` if the request does not decide.
    func isHiddenByProxy(_ address: BrowserAddress) -> Bool? {
        let schemes = address.schemes(hosts, servedBy: scheme)
        guard let publicURL, publicURL.scheme == .https, !schemes.contains(.https) else { return false }
        return address.isAt(publicURL, ratherThanBy: schemes)
    }

    /// Returns the addresses for which the browser may keep cookies, the encrypted one first.
    ///
    /// Several only if the request does not decide.
    func cookieAddresses(of request: Request) -> [CookieAddress] {
        let address = BrowserAddress(of: request)
        let own = schemes(of: request).map { CookieAddress(scheme: $0, authority: address.authority) }
        let isHidden = isHiddenByProxy(address)
        guard let publicURL, isHidden != false else { return own }
        let outside = CookieAddress(scheme: publicURL.scheme, authority: publicURL.authority)
        return [outside] + (isHidden == true ? [] : own)
    }

    /// Returns the address for which the browser keeps a new cookie, by default the one that the request names.
    func cookieAddress(of request: Request) -> CookieAddress {
        let all = cookieAddresses(of: request)
        guard all.count > 1 else { return all[0] }
        return CookieAddress(scheme: scheme(of: request), authority: request.head.authority)
    }
}

extension Dashboard.Scheme {
    /// Returns a host's origins, with and without the default port, which browsers omit and proxies may add.
    func origins(of authority: String) -> [String] {
        let (authority, usual) = (authority.lowercased(), ":\(defaultPort)")
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
