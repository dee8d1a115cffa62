import Synchronization

/// The exact `Host` headers under which the dashboard answers, and the schemes by which browsers reach each of them.
///
/// Any other name, even of this machine, may be one that a foreign page has pointed here (DNS rebinding).
public final class HostAllowList: Sendable {
    /// How browsers reach a host.
    private enum Reach: Hashable {
        /// By the server itself.
        case directly
        /// Through a proxy, by the scheme that was said.
        case by(Dashboard.Scheme)
        /// Perhaps through a proxy that encrypts where the server does not.
        case perhapsEncrypted
    }

    private let hosts = Mutex<[String: Set<Reach>]>([:])
    private let names: [AllowedHost]

    /// The addresses that stand for every address of the machine, and so for none that a browser asks for.
    private static let wildcards = ["0.0.0.0", "::"]

    /// Makes a list that allows nothing before the port is known.
    ///
    /// - Parameter names: More names of this machine. `flags.example.com` allows the server's own port and, for a proxy before
    ///   the server, the usual ports of HTTP and HTTPS, which browsers leave out; `flags.example.com:8443` allows that port alone.
    ///   `https://flags.example.com` says that a proxy encrypts what comes by that name.
    public init(names: [String] = []) {
        self.names = names.map(AllowedHost.init)
    }

    /// Allows the loopback names with a port, the address that the server is bound to, and the names that it was made with.
    ///
    /// - Parameters:
    ///   - host: The address that the server is bound to.
    ///   - port: The port that it listens on.
    ///   - scheme: How browsers reach it, since they leave out its usual port.
    public func allow(host: String, port: Int, scheme: Dashboard.Scheme = .http) {
        let literal = host.contains(":") ? "[\(host)]" : host
        let addresses = ["127.0.0.1", "localhost", "[::1]"] + (Self.wildcards.contains(host) ? [] : [literal])
        let usual = Dashboard.Scheme.allCases.filter { $0 == scheme || scheme == .http }
        var found: [(host: String, reach: Reach)] = []
        func add(_ name: String, _ port: Int, _ reach: Reach, _ schemes: [Dashboard.Scheme]) {
            found.append(("\(name):\(port)", reach))
            if schemes.contains(where: { $0.defaultPort == port }) { found.append((name, reach)) }
        }
        for address in addresses { add(address, port, .directly, [scheme]) }
        for name in names {
            switch (name.scheme, name.port) {
            case (let stated?, let number): add(name.host, number ?? stated.defaultPort, .by(stated), [stated])
            case (nil, let number?):
                let stated = usual.first { $0.defaultPort == number }
                add(name.host, number, stated.map(Reach.by) ?? .perhapsEncrypted, usual)
            case (nil, nil):
                add(name.host, port, .directly, [scheme])
                for stated in usual { add(name.host, stated.defaultPort, .by(stated), usual) }
            }
        }
        let all = found
        hosts.withLock { hosts in
            for (host, reach) in all { hosts[host, default: []].insert(reach) }
        }
    }

    /// Whether a `Host` header is one of those allowed.
    func allows(_ host: String) -> Bool {
        // Strings are equal by what they look like, which other letters than ASCII's may bring about.
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return hosts.withLock { $0[host.lowercased()] != nil }
    }

    /// The schemes by which browsers reach a host, as far as that is known.
    ///
    /// - Returns: The schemes, the encrypted one first; that of the server for a host that is not allowed.
    func schemes(of host: String, servedBy scheme: Dashboard.Scheme) -> [Dashboard.Scheme] {
        let reaches = hosts.withLock { $0[host.lowercased()] } ?? [.directly]
        let found = reaches.flatMap { reach -> [Dashboard.Scheme] in
            switch reach {
            case .directly: [scheme]
            case .by(let stated): [stated]
            case .perhapsEncrypted: scheme == .https ? [.https] : [.https, .http]
            }
        }
        return Dashboard.Scheme.allCases.filter(found.contains)
    }
}

/// A name by which browsers reach the server, as an operator writes it.
struct AllowedHost {
    let scheme: Dashboard.Scheme?
    let host: String
    let port: Int?

    init(_ text: String) {
        let text = text.lowercased()
        let scheme = Dashboard.Scheme.allCases.first { text.hasPrefix("\($0.rawValue)://") }
        let rest = text.dropFirst(scheme.map { $0.rawValue.count + 3 } ?? 0)
        let match = rest.wholeMatch(of: /(.*[^:]):([0-9]+)/)
        self.scheme = scheme
        host = match.map { String($0.1) } ?? String(rest)
        port = match.flatMap { Int($0.2) }
    }
}
