import DurableFiles
import Testing

@testable import Flagboard

@Suite("Proxies that say whom they ask for")
struct TrustedProxiesTests {
    private func proxies(_ ranges: String...) throws -> TrustedProxies {
        TrustedProxies(try ranges.map(AddressRange.init))
    }

    @Test(
        "A range contains the addresses with its prefix, of its own family",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/9", "10.128.0.0", false),
            ("192.168.1.7", "192.168.1.7", true), ("192.168.1.7", "192.168.1.8", false),
            ("192.168.1.128/25", "192.168.1.127", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("2001:db8::/32", "2001:db8:1::5", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/33", "2001:db8:8000::", false), ("::1", "::1", true), ("::1", "127.0.0.1", false),
            ("10.0.0.0/8", "flags.example.com", false), ("10.0.0.0/8", "", false),
            ("::ffff:127.0.0.0/104", "127.1.2.3", true), ("::ffff:127.0.0.0/104", "128.0.0.1", false),
            ("::ffff:10.0.0.1", "10.0.0.1", true), ("::ffff:10.0.0.1/128", "10.0.0.2", false),
        ])
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try proxies(range).contain(address) == isIn)
    }

    @Test(
        "What is no range of addresses is refused, and the range of all addresses with the reason",
        arguments: [
            ("", "is not an IP address"), ("/8", "is not an IP address"), ("10.0.0.0/", "is not an IP address"),
            ("10.0.0.0/33", "is not an IP address"), ("10.0.0.0/-1", "is not an IP address"),
            ("::1/129", "is not an IP address"), ("10.0.0/8", "is not an IP address"),
            ("a.example", "is not an IP address"), ("::ffff:10.0.0.0/129", "is not an IP address"),
            ("0.0.0.0/0", "is every address"), ("::/0", "is every address"),
            ("::ffff:0.0.0.0/96", "is every address"), ("::ffff:10.0.0.0/8", "such as 10.0.0.0/8"),
        ])
    func unsound(text: String, reason: String) throws {
        let error = #expect(throws: PlainError.self) { try AddressRange(text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "The client is the last address that isn't a trusted proxy's",
        arguments: [
            (["203.0.113.7"], "203.0.113.7"), (["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
            (["203.0.113.7, 10.0.0.2"], "203.0.113.7"), (["203.0.113.7", "10.0.0.2 ,10.0.0.3"], "203.0.113.7"),
            (["203.0.113.7:4711"], "203.0.113.7"), (["[2001:db8::7]:4711"], "2001:db8::7"),
            (["2001:db8::7"], "2001:db8::7"),
            (["10.0.0.2, 10.0.0.3"], "10.0.0.2"), (["unknown"], "10.0.0.1"), (["203.0.113.7, unknown"], "10.0.0.1"),
            ([", ,"], "10.0.0.1"), ([], "10.0.0.1"),
        ])
    func client(forwarded: [String], client: String) throws {
        #expect(try proxies("10.0.0.0/8").client(of: "10.0.0.1", forwarded: forwarded) == client)
    }

    @Test("A sender that isn't trusted is the client, whatever it says")
    func untrusted() throws {
        #expect(try proxies("10.0.0.0/8").client(of: "203.0.113.9", forwarded: ["198.51.100.1"]) == "203.0.113.9")
        #expect(TrustedProxies.none.client(of: "10.0.0.1", forwarded: ["198.51.100.1"]) == "10.0.0.1")
    }
}

@Suite("The public address of a dashboard")
struct PublicURLTests {
    @Test(
        "Its origin has no default port, and its path no slash at the end",
        arguments: [
            ("https://Flags.example.com", "https://flags.example.com", "https://flags.example.com/"),
            ("https://example.com:443/flags/", "https://example.com", "https://example.com/flags/"),
            ("http://[::1]:8080/a/b", "http://[::1]:8080", "http://[::1]:8080/a/b/"),
            ("https://example.com:80", "https://example.com:80", "https://example.com:80/"),
            ("HTTPS://Example.com:443/flags", "https://example.com", "https://example.com/flags/"),
        ])
    func parts(text: String, origin: String, whole: String) throws {
        let url = try PublicURL(text)
        #expect(url.origin == origin && url.description == whole)
    }

    @Test(
        "An address that no browser could have is refused",
        arguments: [
            "", "flags.example.com", "ftp://example.com", "https://", "https://a b", "https://example.com?x",
            "https://example.com#x",
            "https://user@example.com", "https://example.com/a//b", "https://example.com/../b", "https://example.com/ä",
        ])
    func unsound(text: String) {
        #expect(throws: PlainError.self) { try PublicURL(text) }
    }

    @Test(
        "An origin is taken in any case, with the default port and with a slash at the end",
        arguments: [
            ("https://app.example.com", "https://app.example.com"), ("https://a.example/", "https://a.example"),
            ("HTTPS://App.Example.com:443", "https://app.example.com"),
            ("http://localhost:5173/", "http://localhost:5173"), ("https://a.example:8443", "https://a.example:8443"),
        ])
    func origins(text: String, origin: String) throws {
        #expect(try PublicURL.origin(text) == origin)
    }

    @Test(
        "What is no origin is refused, with what is wrong",
        arguments: [
            ("*", "is not an origin"), ("null", "is not an origin"), ("a b", "is not an origin"),
            ("https://a.example?b", "is not an origin"), ("https://a.example/ä", "is not an origin"),
            ("https://A.example/app", "has a path, but an origin has none. Use https://a.example"),
        ])
    func noOrigins(text: String, reason: String) {
        let error = #expect(throws: PlainError.self) { try PublicURL.origin(text) }
        #expect(error?.description.contains(reason) == true)
    }
}
