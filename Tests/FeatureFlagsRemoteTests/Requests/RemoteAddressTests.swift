import Foundation
import Testing

@testable import FeatureFlagsRemote

@Suite("Addresses that are asked")
struct RemoteAddressTests {
    @Test(arguments: [
        ("https://flags.example.com/a.json", "https://flags.example.com:443"), ("HTTP://Host:8080", "http://host:8080"),
        ("http://127.0.0.1/", "http://127.0.0.1:80"), ("https://[::1]:8443/a?b=c", "https://[::1]:8443"),
    ])
    func `http and https are asked`(_ text: String, _ origin: String) throws {
        #expect(try RemoteAddress(text).origin == origin)
    }

    @Test(arguments: [
        ("", "invalid address"), ("flags.json", "only http"), ("file:///etc/passwd", "only http"),
        ("ftp://flags.example.com/", "only http"), ("https://", "no host"), ("https:///flags.json", "no host"),
        ("https://flags.example.com/#a", "#"), ("https://flags.example.com:99999/", "port"),
    ])
    func `others are refused, and told why`(_ text: String, _ problem: String) {
        let error = #expect(throws: RemoteError.self) { _ = try RemoteAddress(text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        "https://me@flags.example.com/", "https://me:secret@flags.example.com/", "https://:secret@flags.example.com",
        "https://me:secret?x@flags.example.com/",
    ])
    func `a name or a password in an address is refused, and told to no one`(_ text: String) {
        let error = #expect(throws: RemoteError.self) { _ = try RemoteAddress(text) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `no query is told, since it may hold a secret`() throws {
        #expect(try "\(RemoteAddress("https://flags.example.com/a?key=secret"))" == "https://flags.example.com/a")
        for refused in ["ftp://flags.example.com/a?key=secret", "https://a@b/?key=secret@c"] {
            let error = #expect(throws: RemoteError.self) { _ = try RemoteAddress(refused) }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func `a part of an address is one of the same server`() throws {
        let address = try RemoteAddress("https://flags.example.com/shop/flags.json?a=b")
        #expect(try address.resolving("/events").url.absoluteString == "https://flags.example.com/events")
        #expect(try address.resolving("events").url.absoluteString == "https://flags.example.com/shop/events")
        #expect(try address.resolving("//other.example.com/events").origin == "https://other.example.com:443")
        #expect(throws: RemoteError.self) { _ = try address.resolving("file:///events") }
    }
}
