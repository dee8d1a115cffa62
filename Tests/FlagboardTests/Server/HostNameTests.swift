import Testing

@testable import Flagboard

@Suite("The names that a server answers to")
struct HostNameTests {
    @Test(
        "Loopback names, the address bound and the names given are answered with the port, all others not",
        arguments: [
            ("127.0.0.1:8080", true), ("localhost:8080", true), ("[::1]:8080", true), ("192.0.2.7:8080", true),
            ("flags.example.com:8080", true), ("FLAGS.example.com:8080", true), ("proxy.example.com", true),
            ("proxy.example.com:443", true), ("proxy.example.com:8080", false), ("flags.example.com", true),
            ("flags.example.com:443", true), ("flags.example.com:80", false), ("127.0.0.1", false),
            ("flags.example.com:8081", false), ("flags.example.com.:8080", false), ("evil.example:8080", false),
            ("192.0.2.7", false), ("", false),
        ])
    func names(host: String, isAllowed: Bool) {
        let hosts = HostAllowList(names: ["Flags.example.com", "proxy.example.com:443"])
        #expect(!hosts.allows(host))
        hosts.allow(host: "192.0.2.7", port: 8080, scheme: .https)
        #expect(hosts.allows(host) == isAllowed)
    }

    @Test("An address that stands for all of a machine's is none to be asked for", arguments: ["0.0.0.0", "::"])
    func wildcards(host: String) {
        let hosts = HostAllowList(names: ["flags.example.com"])
        hosts.allow(host: host, port: 80)
        #expect(!hosts.allows("\(host):80") && !hosts.allows("[\(host)]:80") && !hosts.allows(host))
        #expect(hosts.allows("flags.example.com") && hosts.allows("localhost"))
    }

    @Test(
        "By which schemes browsers may reach a name before a server that does not encrypt",
        arguments: [
            ("flags.example.com", "flags.example.com", ["https", "http"]),
            ("flags.example.com", "flags.example.com:80", ["http"]),
            ("flags.example.com", "flags.example.com:443", ["https"]),
            ("flags.example.com", "FLAGS.example.com:8080", ["http"]),
            ("flags.example.com:443", "flags.example.com", ["https"]),
            ("flags.example.com:443", "flags.example.com:443", ["https"]),
            ("flags.example.com:80", "flags.example.com", ["http"]),
            ("flags.example.com:8443", "flags.example.com:8443", ["https", "http"]),
            ("https://flags.example.com", "flags.example.com", ["https"]),
            ("https://flags.example.com", "flags.example.com:443", ["https"]),
            ("HTTPS://Flags.example.com:8443", "flags.example.com:8443", ["https"]),
            ("http://flags.example.com", "flags.example.com", ["http"]),
            ("https://flags.example.com", "127.0.0.1:8080", ["http"]),
        ])
    func schemes(name: String, host: String, schemes: [String]) {
        let hosts = HostAllowList(names: [name])
        hosts.allow(host: "127.0.0.1", port: 8080)
        #expect(hosts.allows(host))
        #expect(hosts.schemes(of: host, servedBy: .http).map(\.rawValue) == schemes)
    }

    @Test(
        "A name with a scheme or a port stands for nothing else",
        arguments: [
            ("https://flags.example.com", "flags.example.com:80"),
            ("https://flags.example.com", "flags.example.com:8080"),
            ("http://flags.example.com", "flags.example.com:443"), ("flags.example.com:443", "flags.example.com:80"),
            ("flags.example.com:8443", "flags.example.com"), ("https://flags.example.com:8443", "flags.example.com"),
        ])
    func others(name: String, host: String) {
        let hosts = HostAllowList(names: [name])
        hosts.allow(host: "127.0.0.1", port: 8080)
        #expect(!hosts.allows(host))
    }

    @Test("A server that encrypts itself is reached by no other scheme")
    func encrypted() {
        let hosts = HostAllowList(names: ["flags.example.com", "flags.example.com:8443"])
        hosts.allow(host: "127.0.0.1", port: 9000, scheme: .https)
        for host in ["flags.example.com", "flags.example.com:443", "flags.example.com:8443", "flags.example.com:9000"] {
            #expect(hosts.schemes(of: host, servedBy: .https) == [.https])
        }
    }
}
