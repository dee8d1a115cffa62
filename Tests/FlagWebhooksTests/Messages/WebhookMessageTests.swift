import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagWebhooks

@Suite("Messages")
struct WebhookMessageTests {
    private func webhook(_ template: Webhook.Template = .generic) throws -> Webhook {
        Webhook(
            id: "wh_a", name: "a", url: try WebhookURL("https://hooks.example/"), filters: [], template: template,
            allowsPrivate: false, created: Fixture.start, after: 0, secrets: [WebhookSecret.Kept(secret: .random())])
    }

    private func record(id: Int64 = 7, reason: String = "", hash: UInt8 = 0xAB) throws -> HistoryRecord {
        HistoryRecord(
            id: id,
            event: HistoryEvent(
                batch: UUID(), at: Fixture.start, actor: "ada <b>", role: "admin", origin: .form, kind: .set,
                provider: "Local", key: try #require(FlagKeyPath(text: "shop/a&b")), type: .string, before: nil,
                after: .string("x"), reason: reason, requestID: nil),
            previousHash: Data(repeating: 0, count: 32), hash: Data(repeating: hash, count: 32))
    }

    private func document(_ values: [String: String]) -> JSONValue {
        .object(values.mapValues { .scalar(.string($0)) })
    }

    @Test("An id is the same for one row and no other, also where an older history was put back")
    func ids() throws {
        let webhook = try webhook()
        func id(_ record: HistoryRecord) -> String { WebhookMessage(of: record, document([:]), to: webhook).id }
        #expect(id(try record()) == "wh_a_7_abababab")
        #expect(try Set([id(record()), id(record(id: 8)), id(record(hash: 1))]).count == 3)
    }

    @Test("Long values are left out and that is said, so that no message is larger than receivers take")
    func truncates() throws {
        let long = String(repeating: "ä", count: 30_000)
        let row = document(["before": long, "after": "new", "key": "shop/a", "reason": "why"])
        let message = WebhookMessage(of: try record(), row, to: try webhook())
        let text = String(decoding: message.body, as: UTF8.self)
        #expect(text.hasPrefix(#"{"data":{"after":"new","key":"shop/a","reason":"why","truncated":true},"#))
        let all = document(["before": long, "after": long, "reason": long, "key": long, "id": "7"])
        let least = WebhookMessage(of: try record(), all, to: try webhook())
        #expect(least.body.count < 200 && String(decoding: least.body, as: UTF8.self).contains(#""id":"7""#))
        let short = document(["after": String(repeating: "x", count: 19_000)])
        #expect(WebhookMessage(of: try record(), short, to: try webhook()).body.count > 19_000)
    }

    @Test("A message for Slack is a text in which nothing means something else than it says")
    func slack() throws {
        let row = document(["before": "a`b", "after": "<!channel>"])
        let message = WebhookMessage(of: try record(reason: "one\nand <two>"), row, to: try webhook(.slack))
        let text =
            #"*shop/a&amp;b* set `\"aˋb\"` → `\"&lt;!channel&gt;\"` in Local, by ada &lt;b&gt; (row 7)\n>one\n>and &lt;two&gt;"#
        #expect(String(decoding: message.body, as: UTF8.self) == #"{"text":"\#(text)"}"#)
    }
}
