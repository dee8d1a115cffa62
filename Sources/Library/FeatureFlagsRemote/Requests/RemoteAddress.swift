import Foundation

/// An address that values are asked for at: `http` or `https`, and without a name or password in it.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole address.
    let url: URL
    /// Scheme, host and port: what a redirection may not leave.
    package let origin: String

    /// Checks an address.
    package init(_ text: String) throws(RemoteError) {
        let shown = Self.shown(text)
        guard let url = URL(string: text), let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .address(shown, "it is no address; write https://HOST/PATH")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .address(shown, "an address holds no name and no password; give a token instead")
        }
        let scheme = (parts.scheme ?? "").lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw .address(shown, "only http:// and https:// are asked")
        }
        guard let host = parts.host, !host.isEmpty else { throw .address(shown, "it names no host") }
        guard parts.fragment == nil else { throw .address(shown, "what follows # is never sent; leave it out") }
        if let port = parts.port, !(1...65535).contains(port) {
            throw .address(shown, "a port is a number from 1 to 65535")
        }
        self.url = url
        origin = "\(scheme)://\(host.lowercased()):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// The address that a reference in an answer means.
    package func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let url = URL(string: reference, relativeTo: url) else {
            throw .address(Self.shown(reference), "it is no address; write https://HOST/PATH")
        }
        return try RemoteAddress(url.absoluteString)
    }

    /// An address as errors tell it: without a name or a password, which they would put into logs.
    private static func shown(_ text: String) -> String { text.lastIndex(of: "@").map { "…\(text[$0...])" } ?? text }

    /// The address without its query, which may hold what no log should.
    package var description: String {
        let text = url.absoluteString
        return text.firstIndex(of: "?").map { String(text[..<$0]) } ?? text
    }
}
