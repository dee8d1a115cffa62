import Synchronization

/// The exact `Host` headers under which the dashboard answers.
///
/// Any other name, even of this machine, may be one that a foreign page has pointed here (DNS rebinding).
public final class HostAllowList: Sendable {
    private let hosts = Mutex<Set<String>>([])
    private let names: [String]

    /// The addresses that stand for every address of the machine, and so for none that a browser asks for.
    private static let wildcards = ["0.0.0.0", "::"]

    /// Makes a list that allows nothing before the port is known.
    ///
    /// - Parameter names: More names of this machine, such as `flags.example.com`; one with a port,
    ///   `flags.example.com:443`, stands for that port alone.
    public init(names: [String] = []) {
        self.names = names.map { $0.lowercased() }
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
        let complete = names.filter(Self.hasPort)
        let bare = addresses + names.filter { !Self.hasPort($0) }
        let usual = ":\(scheme.defaultPort)"
        let all = complete + bare.map { "\($0):\(port)" }
        hosts.withLock { hosts in
            for name in all {
                hosts.insert(name)
                if name.hasSuffix(usual) { hosts.insert(String(name.dropLast(usual.count))) }
            }
        }
    }

    private static func hasPort(_ name: String) -> Bool {
        name.wholeMatch(of: /.*:[0-9]+/) != nil && !name.hasSuffix("]")
    }

    /// Whether a `Host` header is one of those allowed.
    func allows(_ host: String) -> Bool {
        // Strings are equal by what they look like, which other letters than ASCII's may bring about.
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return hosts.withLock { $0.contains(host.lowercased()) }
    }
}
