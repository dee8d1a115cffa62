import Synchronization

/// The exact `Host` headers under which the dashboard answers, with their schemes.
///
/// A foreign page may have pointed any other name here, even of this machine (DNS rebinding).
public final class HostAllowList: Sendable {
    private enum Reach: Hashable {
        case directly
        /// Through a proxy, by a stated scheme.
        case by(Dashboard.Scheme)
        /// Perhaps through a proxy that terminates TLS.
        case perhapsEncrypted
    }

    private let hosts = Mutex<[String: Set<Reach>]>([:])
    private let names: [AllowedHost]

    private static let wildcards = ["0.0.0.0", "::"]

    /// Creates a list that allows nothing until the port is known.
    ///
    /// - Parameter names: More names of this machine. `flags.example.com` allows the server's port and, for a proxy,
    ///   the default ports of HTTP and HTTPS; `flags.example.com:8443` only that port. `https://flags.example.com` has
    ///   a proxy that terminates TLS.
    public init(names: [String] = []) {
        self.names = names.map(AllowedHost.init)
    }

    /// Allows the loopback names, the bound address and the configured names.
    ///
    /// - Parameters:
    ///   - host: The bound address.
    ///   - port: The port that the server listens on.
    ///   - scheme: The scheme, whose default port browsers omit.
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

    func allows(_ host: String) -> Bool {
        // String equality follows Unicode equivalence, so non-ASCII text could match an allowed name.
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return hosts.withLock { $0[host.lowercased()] != nil }
    }

    /// The encrypted one first; the server's own for an unknown host.
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

package struct AllowedHost {
    let scheme: Dashboard.Scheme?
    let host: String
    let port: Int?

    /// True for a name or address, with or without a scheme before it and a port up to 65535 behind it.
    package static func isValid(_ text: String) -> Bool {
        text.wholeMatch(of: /(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/)?(?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?/) != nil
            && text.hasPossiblePort
    }

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

extension BidirectionalCollection where SubSequence == Substring {
    /// False for an authority with a port above 65535.
    var hasPossiblePort: Bool { firstMatch(of: /:([0-9]+)$/).map { UInt16($0.1) != nil } ?? true }
}
