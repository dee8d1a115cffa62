import Hummingbird

extension Dashboard {
    /// The schemes by which the browser that sends a request may reach the dashboard: the one of the request's `Origin`, where it
    /// is one by which its host is reached.
    ///
    /// - Parameter request: The request.
    /// - Returns: One, unless the request's host may be reached by both and the request does not tell.
    func schemes(of request: Request) -> [Scheme] {
        guard let authority = request.head.authority else { return [scheme] }
        let known = hosts.schemes(of: authority, servedBy: scheme)
        guard known.count > 1, let origin = request.headers[.origin] else { return known }
        let named = known.filter { $0.origins(of: authority).contains(origin) }
        return named.isEmpty ? known : named
    }

    /// How the browser that sends a request reaches the dashboard; as the server answers, where the request does not tell.
    func scheme(of request: Request) -> Scheme {
        let schemes = schemes(of: request)
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
