import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagWebhooks

@Suite("Filters of webhooks")
struct WebhookFilterTests {
    private func event(_ key: String, kind: HistoryRecord.Kind = .set, provider: String? = "Local") throws
        -> HistoryEvent
    {
        HistoryEvent(
            batch: UUID(), at: Fixture.start, actor: "ada", role: "admin", origin: .form, kind: kind,
            provider: provider, key: try #require(FlagKeyPath(text: key)), type: .bool, before: nil, after: nil,
            reason: "", requestID: nil)
    }

    @Test(
        "A key may have any characters where there is a star",
        arguments: [
            ("checkout/*", "checkout/limit", true), ("checkout/*", "checkout/deep/er", true),
            ("checkout/*", "checkout", false),
            ("checkout", "checkout", true), ("checkout", "checkout/limit", false), ("*", "any/thing", true),
            ("*/limit", "a/b/limit", true), ("*/limit", "limit", false), ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c", false),
            ("a*a", "a", false), ("x,checkout/*", "checkout/limit", true),
        ])
    func keys(pattern: String, key: String, isWanted: Bool) throws {
        #expect(try WebhookFilter("key=\(pattern)").admits(try event(key), tags: []) == isWanted)
    }

    @Test("Of several filters of one field one must hold, and of those of different fields each")
    func combines() throws {
        let filters = try ["key=shop/*", "key=other", "kind=set,reset", "tag=new"].map { text in try WebhookFilter(text)
        }
        #expect(filters.admit(try event("shop/a"), tags: ["old", "new"]))
        #expect(filters.admit(try event("other", kind: .reset), tags: ["new"]))
        #expect(!filters.admit(try event("other", kind: .define), tags: ["new"]))
        #expect(!filters.admit(try event("third"), tags: ["new"]))
        #expect(!filters.admit(try event("other"), tags: []))
        #expect([WebhookFilter]().admit(try event("third"), tags: []))
        let provider = try WebhookFilter("provider=Local")
        #expect(
            try provider.admits(try event("a"), tags: []) && !provider.admits(try event("a", provider: nil), tags: []))
    }

    @Test(
        "What is no filter is refused with an example",
        arguments: ["", "key", "key=", "owner=ada", "kind=denied", "kind=sett"])
    func refuses(text: String) {
        #expect(throws: PlainError.self) { try WebhookFilter(text) }
    }
}
