import Testing

@testable import Flagboard

@Suite("The names that a server answers to")
struct HostNameTests {
    @Test(
        "Loopback names, the address bound and the names given are answered with the port, all others not",
        arguments: [
            ("127.0.0.1:8080", true), ("localhost:8080", true), ("[::1]:8080", true), ("192.0.2.7:8080", true),
            ("flags.example.com:8080", true), ("FLAGS.example.com:8080", true), ("proxy.example.com", true),
            ("proxy.example.com:443", true), ("proxy.example.com:8080", false), ("flags.example.com", false),
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
}
