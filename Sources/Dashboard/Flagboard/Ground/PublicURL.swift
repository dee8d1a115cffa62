import DurableFiles

/// The address at which browsers reach a dashboard through a proxy, such as `https://example.com/flags`.
package struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    package let scheme: Dashboard.Scheme
    /// The host, with the port unless it is the scheme's default.
    let authority: String
    /// The path below which the proxy passes requests on, unchanged.
    package let mount: MountPath

    /// Allows no query or fragment.
    package init(_ text: String) throws(PlainError) {
        guard let match = text.wholeMatch(of: Self.pattern),
            let scheme = Dashboard.Scheme(rawValue: match.1.lowercased())
        else {
            throw PlainError(
                "\(text) is not an address such as https://flags.example.com or https://example.com/flags")
        }
        self.scheme = scheme
        guard match.2.hasPossiblePort else {
            throw PlainError("\(text) has a port above 65535")
        }
        let usual = ":\(scheme.defaultPort)"
        let authority = match.2.lowercased()
        self.authority = authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
        let path = String(match.3 ?? "")
        do {
            mount = ["", "/"].contains(path) ? .root : try MountPath(path)
        } catch {
            throw PlainError(
                "the path \(path) has to consist of names of letters, digits, and - . _ ~ with one / before each, and "
                    + "none of them may be . or ..")
        }
    }

    /// The address of a whole site, without a path, as browsers send it in `Origin`: in lower case, and without the
    /// default port.
    package static func origin(_ text: String) throws(PlainError) -> String {
        guard case .success(let url) = Result(catching: { () throws(PlainError) in try PublicURL(text) }) else {
            throw PlainError("\(text) is not an origin such as https://app.example.com or http://localhost:5173")
        }
        guard url.mount == .root else {
            throw PlainError("\(text) has a path, but an origin has none. Use \(url.origin)")
        }
        return url.origin
    }

    package var origin: String { "\(scheme.rawValue)://\(authority)" }

    package var description: String { origin + mount.address(of: "/") }

    private static var pattern: Regex<(Substring, Substring, Substring, Substring?)> {
        /([Hh][Tt][Tt][Pp][Ss]?):\/\/((?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?)(\/[^?#]*)?/
    }
}
