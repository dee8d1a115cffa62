import DurableFiles
import Testing

@testable import FlagWebhooks

@Suite("Which addresses are on the public Internet")
struct IPAddressTests {
    @Test(
        "A public address is open",
        arguments: [
            "1.1.1.1", "8.8.8.8", "93.184.215.14", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1",
            "2400:cb00::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        ])
    func open(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.closedName == nil)
    }

    @Test(
        "An address of this machine, a private network or no host at all is closed",
        arguments: [
            ("0.0.0.0", "this network"), ("0.1.2.3", "this network"), ("10.0.0.1", "private"),
            ("10.255.255.255", "private"), ("100.64.0.1", "NAT"), ("100.127.255.255", "NAT"),
            ("127.0.0.1", "this machine"), ("127.255.255.254", "this machine"), ("169.254.169.254", "link-local"),
            ("172.16.0.1", "private"), ("172.31.255.255", "private"), ("192.0.0.8", "reserved"),
            ("192.0.2.1", "documentation"), ("192.88.99.1", "reserved"), ("192.168.1.1", "private"),
            ("198.18.0.1", "benchmarking"), ("198.19.255.255", "benchmarking"), ("198.51.100.1", "documentation"),
            ("203.0.113.1", "documentation"), ("224.0.0.1", "multicast"), ("239.1.2.3", "multicast"),
            ("240.0.0.1", "reserved"), ("255.255.255.255", "reserved"), ("::", "unspecified"), ("::1", "this machine"),
            ("::127.0.0.1", "reserved"), ("::ffff:127.0.0.1", "this machine"), ("::ffff:10.1.1.1", "private"),
            ("::ffff:169.254.169.254", "link-local"), ("64:ff9b::7f00:1", "this machine"),
            ("64:ff9b::169.254.169.254", "link-local"), ("64:ff9b:1::1", "reserved"), ("100::1", "reserved"),
            ("2001::1", "reserved"), ("2001:db8::1", "documentation"), ("2002:7f00:1::1", "this machine"),
            ("2002:c0a8:101::1", "private"), ("3fff::1", "documentation"), ("4000::1", "reserved"),
            ("fc00::1", "private"), ("fd12:3456::1", "private"), ("fe80::1", "link-local"), ("fec0::1", "reserved"),
            ("ff02::1", "multicast"),
        ])
    func closed(text: String, name: String) throws {
        let address = try #require(IPAddress(text))
        #expect(try #require(address.closedName).contains(name))
    }

    @Test(
        "Other ways to write a number are no address, and so are asked for as names",
        arguments: ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "fe80::1%eth0", "[::1]", "localhost", ""])
    func names(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "Whatever a host is called, it is its address that counts",
        arguments: ["localhost", "127.1", "2130706433", "0x7f000001"])
    func lookedUp(host: String) async throws {
        let url = try WebhookURL("http://\(host):9/")
        guard case .forbidden(let place) = await HostLookup().addresses(of: url, allowsPrivate: false),
            case .found(let addresses) = await HostLookup().addresses(of: url, allowsPrivate: true)
        else {
            Issue.record("\(host) is not this machine")
            return
        }
        #expect(place.contains("this machine"))
        #expect(!addresses.isEmpty)
    }

    @Test("One address among others that is closed closes the host")
    func closedByOne() async throws {
        let lookup = HostLookup { _ in ["8.8.8.8", "10.0.0.1"].compactMap(IPAddress.init) }
        let outcome = await lookup.addresses(of: try WebhookURL("https://hooks.example/"), allowsPrivate: false)
        #expect(outcome == .forbidden("hooks.example is at 10.0.0.1, a private address"))
    }

    @Test(
        "An address for messages is of http or https, with a host and without a user",
        arguments: [
            "ftp://example.com/", "example.com", "https://", "https:///x", "https://ada:pw@example.com/",
            "https://ada@example.com/", "https://example.com/#top", "https://exa mple.com/", "http://[::1",
            "file:///etc",
            "https://example.com:0/", "https://example.com:99999/", "https://ex%41mple.com/\u{e9}", "https://a@b@c/",
            "http://[fe80::1%25eth0]/",
        ])
    func refusedURL(text: String) {
        #expect(throws: PlainError.self) { try WebhookURL(text) }
    }

    @Test("What may be secret in an address is not shown")
    func shownURL() throws {
        #expect(try WebhookURL("https://hooks.slack.com/services/T0/B0/xyz").shown == "https://hooks.slack.com/…")
        #expect(try WebhookURL("https://example.com").shown == "https://example.com")
        #expect(try WebhookURL("https://example.com/").shown == "https://example.com/")
        #expect(try WebhookURL("https://example.com?key=1").shown == "https://example.com/…")
        #expect(try WebhookURL("http://[2001:db8::1]:80/a").host == "2001:db8::1")
    }
}
