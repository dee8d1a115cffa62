import Synchronization

/// The exact `Host` headers under which the dashboard answers.
///
/// Any other name, even of this machine, may be one that a foreign page has pointed here (DNS rebinding).
public final class HostAllowList: Sendable {
    private let hosts = Mutex<Set<String>>([])

    /// Makes a list that allows nothing yet.
    public init() {}

    /// Allows the loopback names with a port, or `host` with it where it is none of them.
    ///
    /// - Parameters:
    ///   - host: The address that the server is bound to.
    ///   - port: The port that it listens on.
    public func allow(host: String, port: Int) {
        let literal = host.contains(":") ? "[\(host)]" : host
        let names = ["127.0.0.1", "localhost", "[::1]", literal]
        hosts.withLock { hosts in
            for name in names {
                hosts.insert("\(name):\(port)")
                if port == 80 { hosts.insert(name) }
            }
        }
    }

    /// Whether a `Host` header is one of those allowed.
    func allows(_ host: String) -> Bool {
        // Strings are equal by what they look like, which other letters than ASCII's may bring about.
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return hosts.withLock { $0.contains(host.lowercased()) }
    }
}
