import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import FlagWebhooks

@Suite("Delivering a message")
struct WebhookPostTests {
    let receiver = Receiver()
    private let message = WebhookMessage(id: "wh_a_1", body: Data("{}".utf8))

    private func webhook(_ url: String, allowsPrivate: Bool) throws -> Webhook {
        Webhook(
            id: "wh_a", name: "a", url: try WebhookURL(url), filters: [], template: .generic,
            allowsPrivate: allowsPrivate, created: Fixture.start, after: 0,
            secrets: [WebhookSecret.Kept(secret: .random())])
    }

    private func lookup(_ addresses: String...) -> HostLookup {
        HostLookup { _ in addresses.compactMap(IPAddress.init) }
    }

    @Test("The address that was checked is connected to, and the name stays in the Host header")
    func connectsToCheckedAddress() async throws {
        let port = try await receiver.port
        let webhook = try webhook("http://hooks.example:\(port)/a?b=c", allowsPrivate: true)
        let outcome = await WebhookPost.patient(lookup("127.0.0.1")).send(message, to: webhook, at: Fixture.start)
        #expect(outcome == .delivered(status: 204))
        let got = try #require(await receiver.next())
        #expect(got.headers["host"] == "hooks.example:\(port)" && got.path == "/a?b=c")
        #expect(got.headers["content-type"] == "application/json" && got.id == "wh_a_1")
    }

    @Test("A name that leads to a public address when it is added, and elsewhere later, is not connected to")
    func refusesRebinding() async throws {
        let asked = Atomic(0)
        let lookup = HostLookup { _ in
            let isFirst = asked.add(1, ordering: .relaxed).oldValue == 0
            return [isFirst ? "8.8.8.8" : "169.254.169.254"].compactMap(IPAddress.init)
        }
        let webhook = try webhook("http://hooks.example/", allowsPrivate: false)
        let first = try #require(IPAddress("8.8.8.8"))
        #expect(await lookup.addresses(of: webhook.url, allowsPrivate: false) == .found([first]))
        let outcome = await WebhookPost(lookup: lookup).send(message, to: webhook, at: Fixture.start)
        #expect(outcome.sort == .forbidden && outcome.problem?.contains("link-local") == true)
        #expect(asked.load(ordering: .relaxed) == 2)
    }

    @Test("An address on this machine needs permission")
    func refusesPrivate() async throws {
        let webhook = try webhook("http://127.0.0.1:\(try await receiver.port)/", allowsPrivate: false)
        let outcome = await WebhookPost().send(message, to: webhook, at: Fixture.start)
        #expect(outcome.problem?.contains("--allow-private") == true)
    }

    @Test("Of several addresses, one that refuses the connection leads to the next")
    func triesNextAddress() async throws {
        let webhook = try webhook("http://hooks.example:\(try await receiver.port)/hook", allowsPrivate: true)
        let post = WebhookPost.patient(lookup("127.0.0.9", "127.0.0.1"))
        let outcome = await post.send(message, to: webhook, at: Fixture.start)
        #expect(outcome == .delivered(status: 204), "\(outcome)")
    }

    @Test("A host that is not found, or refuses the connection, is told in words")
    func tellsOfFailure() async throws {
        let lost = WebhookPost(lookup: HostLookup { _ in [] })
        let webhook = try webhook("http://hooks.example:1/", allowsPrivate: true)
        #expect(
            await lost.send(message, to: webhook, at: Fixture.start) == .failed("the host hooks.example has no address")
        )
        let closed = await WebhookPost.patient(lookup("127.0.0.1")).send(message, to: webhook, at: Fixture.start)
        #expect(closed.problem?.contains("127.0.0.1") == true && closed.sort == .failed)
    }

    @Test("A receiver that does not encrypt, where it is said to, is told as such")
    func tellsOfPlainReceiver() async throws {
        let webhook = try webhook("https://hooks.example:\(try await receiver.port)/", allowsPrivate: true)
        let outcome = await WebhookPost.patient(lookup("127.0.0.1")).send(message, to: webhook, at: Fixture.start)
        let words = "127.0.0.1 doesn't use TLS; use http:// instead of https:// if that is intended"
        #expect(outcome == .failed(words), "\(outcome)")
    }

    @Test("A receiver that never answers is given up")
    func givesUp() async throws {
        let post = WebhookPost(
            lookup: HostLookup { _ in
                // It ends where it is given up, and never by itself.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return []
            }, patience: .milliseconds(50))
        let outcome = await post.send(
            message, to: try webhook("http://hooks.example/", allowsPrivate: true), at: Fixture.start)
        #expect(outcome.problem?.contains("no response") == true)
    }

    @Test(
        "A time to be left alone is seconds or a date",
        arguments: [
            ("120", 120), (" 7 ", 7), ("Mon, 21 Sep 2026 14:14:20 GMT", 60), ("Mon, 21 Sep 2020 14:14:20 GMT", 0),
            ("soon", nil), ("-5", nil), ("", nil),
        ] as [(String, Int?)])
    func retryAfter(text: String, seconds: Int?) {
        #expect(RetryAfter.duration(text, at: Fixture.start) == seconds.map { .seconds($0) })
    }

    @Test("Waits follow the table, each at most a tenth longer, and then there is none")
    func schedule() {
        let waits: [Int64] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        for (place, seconds) in waits.enumerated() {
            #expect(RetrySchedule { 0 }.wait(after: place + 1, askedFor: nil) == .seconds(seconds))
            let longest = RetrySchedule { 0.999 }.wait(after: place + 1, askedFor: nil)
            #expect(longest.map { $0 > .seconds(seconds) && $0 < .seconds(seconds) * 1.1 } == true)
        }
        #expect(RetrySchedule { 0 }.wait(after: 10, askedFor: .seconds(1)) == nil)
        #expect(RetrySchedule { 0 }.wait(after: 1, askedFor: .seconds(60)) == .seconds(60))
        #expect(RetrySchedule { 0 }.wait(after: 2, askedFor: .seconds(60)) == .seconds(300))
        #expect(RetrySchedule { 0 }.wait(after: 1, askedFor: .seconds(1 << 30)) == .seconds(86_400))
    }
}
