import FlagChanges
import Foundation
import HTTPTypes
import TestClock
import Testing

@testable import FlagWebhooks

@Suite("Deliveries that are kept, sent again, and put off", .timeLimit(.minutes(10)))
struct WebhookDeliveriesTests {
    let fixture: Fixture
    let receiver = Receiver()
    private let tries = Tries()
    private var clock: ManualClock { tries.clock }

    init() throws { fixture = try Fixture() }

    private func sender() -> WebhookSender {
        fixture.sender(tries.observe)
    }

    /// Waits until so many tries have ended, and are kept.
    private func deliveries(_ count: Int, of sender: WebhookSender) async throws -> [WebhookDelivery] {
        await tries.end(count)
        return try #require(try await sender.reports().first).deliveries
    }

    @Test("Each try is kept with its answer, the newest first, and its body can be made again; no secret is kept")
    func keeps() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        receiver.answer(.internalServerError)
        try await fixture.sending(sender) {
            try await fixture.set("shop", "a", to: "1")
            _ = await receiver.next()
            for await wait in clock.sleeps {
                clock.advance(by: wait)
                break
            }
            let message = try #require(await receiver.next())
            let kept = try await deliveries(2, of: sender)
            #expect(kept.map(\.number) == [2, 1] && kept.map(\.attempt) == [2, 1])
            #expect(kept.map(\.status) == [204, 500] && kept.map(\.result) == [.delivered, .refused])
            #expect(kept.map(\.problem) == [nil, "status 500"] && kept.map(\.row) == [1, 1])
            #expect(kept.allSatisfy { $0.occasion == .change && $0.message == message.id })
            #expect(kept[0].at == Fixture.start + 5)
            #expect(try await sender.message(of: kept[0], to: webhook)?.body == message.body)
        }
        let text = try String(contentsOf: fixture.statesFile.url, encoding: .utf8)
        #expect(!text.contains("v1,") && !text.contains(webhook.secrets[0].secret.text) && !text.contains("after"))
        #expect(try fixture.statesFile.content().deliveries[webhook.id]?.count == 2)
    }

    @Test("Of each webhook the last 20 are kept, and fewer of many, so that a delivery costs no more with many")
    func bounds() {
        #expect([0, 1, 10, 20, 100, 1000].map { WebhookDelivery.most(ofEachOf: $0) } == [20, 20, 20, 10, 2, 1])
        var content = WebhookStatesFile.Content()
        for id in ["a", "b", "gone"] {
            for _ in 0..<25 { content.add({ Self.delivery($0) }, to: id) }
        }
        let limited = content.limited(to: ["a", "b"])
        #expect(limited.deliveries.keys.sorted() == ["a", "b"])
        #expect(limited.deliveries["a"]?.map(\.number) == Array((6...25).reversed()))
    }

    private static func delivery(_ number: Int) -> WebhookDelivery {
        WebhookDelivery(
            number: number, at: Fixture.start, occasion: .change, message: "m", row: 1, attempt: 1, result: .delivered,
            status: 204, problem: nil, milliseconds: 1)
    }

    @Test("A file of an earlier version has no deliveries, and is read")
    func readsEarlierVersion() async throws {
        let webhook = try await fixture.add(receiver)
        try fixture.statesFile.write(WebhookStatesFile.Content(states: [webhook.id: WebhookState(of: webhook)]))
        let text = try String(contentsOf: fixture.statesFile.url, encoding: .utf8)
        let old = text.replacing(/"deliveries" : \{\s*\},\s*/, with: "")
        #expect(!old.contains("deliveries"))
        try Data(old.utf8).write(to: fixture.statesFile.url)
        #expect(try fixture.statesFile.content().states.keys.first == webhook.id)
    }

    @Test("Nothing is sent while a webhook is paused but a test; then what waited comes in its order")
    func pauses() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        try await fixture.sending(sender) {
            try await fixture.set("shop", "a", to: "1")
            #expect(await receiver.next()?.row == 1)
            let first = try await deliveries(1, of: sender)
            _ = try await fixture.file.pause(webhook.id, at: Fixture.start)
            await sender.look()
            for value in ["2", "3"] { try await fixture.set("shop", "a", to: value) }
            #expect(try await sender.test(webhook.id) == .delivered(status: 204))
            // The first that comes is the test: the rows before it were not sent.
            #expect(await receiver.next()?.id.contains("_test_") == true)
            let error = await #expect(throws: KeptFileError.self) {
                try await sender.resend(first[0].number, to: webhook.id)
            }
            #expect(try #require(error).description.contains("is paused"))
            #expect(try await sender.reports().first?.lag == 2)
            _ = try await fixture.file.resume(webhook.id)
            #expect(await receiver.next(2).map(\.row) == [2, 3])
        }
    }

    @Test("A delivery is sent again under its id, and its row is not taken as a new one")
    func resends() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        try await fixture.sending(sender) {
            try await fixture.set("shop", "a", to: "1")
            let first = try #require(await receiver.next())
            let made = try await deliveries(1, of: sender)
            receiver.answer(.badGateway)
            let again = try await sender.resend(made[0].number, to: webhook.id)
            #expect(again == .tried(.refused(status: 502, retryAfter: nil)))
            let second = try #require(await receiver.next())
            #expect(second.id == first.id && second.body == first.body)
            let report = try #require(try await sender.reports().first)
            #expect(report.deliveries.map(\.occasion) == [.resend, .change] && report.deliveries[0].attempt == 2)
            #expect(report.state.failingSince == nil && report.lag == 0)
        }
        await #expect(throws: KeptFileError.self) { try await sender.resend(99, to: webhook.id) }
    }

    @Test("A delivery that still waits for its next try is tried at once, in its order")
    func resendsInOrder() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        receiver.answer(.internalServerError)
        try await fixture.sending(sender) {
            for value in ["1", "2"] { try await fixture.set("shop", "a", to: value) }
            #expect(await receiver.next()?.row == 1)
            let made = try await deliveries(1, of: sender)
            #expect(try await sender.resend(made[0].number, to: webhook.id) == .inOrder)
            #expect(await receiver.next(2).map(\.row) == [1, 2])
        }
    }

    @Test("The body of a change is not shown once its flag is internal or its history another one")
    func hidesBody() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        try await fixture.sending(sender) {
            try await fixture.set("shop", "a", to: "1")
            _ = await receiver.next()
            let made = try await deliveries(1, of: sender)
            let url = fixture.folder.appending(path: "flags.manifest.xml")
            let text = try String(contentsOf: url, encoding: .utf8)
            let hidden = text.replacing(
                "<key>key</key><string>shop/a</string>",
                with: "<key>key</key><string>shop/a</string><key>isInternal</key><true/>")
            try Data(hidden.utf8).write(to: url, options: .atomic)
            #expect(try await sender.message(of: made[0], to: webhook) == nil)
            await #expect(throws: KeptFileError.self) { try await sender.resend(made[0].number, to: webhook.id) }
            try Data(text.utf8).write(to: url, options: .atomic)
            #expect(try await sender.message(of: made[0], to: webhook) != nil)
            let other = WebhookDelivery(
                number: 1, at: Fixture.start, occasion: .change, message: "\(webhook.id)_1_00000000", row: 1,
                attempt: 1, result: .delivered, status: 204, problem: nil, milliseconds: 1)
            #expect(try await sender.message(of: other, to: webhook) == nil)
        }
    }
}
