import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import TestClock
import Testing

@testable import FlagWebhooks

@Suite("Telling webhooks of rows", .timeLimit(.minutes(10)))
struct WebhookSenderTests {
    let fixture: Fixture
    let receiver = Receiver()
    private let tries = Tries()
    private var clock: ManualClock { tries.clock }

    init() throws { fixture = try Fixture() }

    /// Waits until so many tries have ended and their ends are remembered.
    private func ended(_ count: Int, of sender: WebhookSender) async throws {
        await tries.end(count)
        _ = try await sender.reports()
    }

    /// A sender whose waits end when the clock is moved on.
    private func sender(_ change: (inout WebhookSender.Options) -> Void = { _ in }) -> WebhookSender {
        fixture.sender { options in
            tries.observe(&options)
            change(&options)
        }
    }

    private func logged(_ words: String) async -> String? {
        for await text in fixture.logged where text.contains(words) { return text }
        return nil
    }

    /// Writes an internal flag's value as another program does.
    private func editHidden(_ value: String) async throws {
        let url = fixture.folder.appending(path: "flags.xml")
        let text = try String(contentsOf: url, encoding: .utf8)
        let hidden = "<key>hidden</key><dict><key>secret</key><string>\(value)</string></dict>"
        let edited =
            text.contains("<dict/>")
            ? text.replacing("<dict/>", with: "<dict>\(hidden)</dict>")
            : text.replacing("<dict>", with: "<dict>\(hidden)", maxReplacements: 1)
        try Data(edited.utf8).write(to: url, options: .atomic)
        _ = try await fixture.service.overview()
    }

    @Test("Rows come in their order, without those that were there before, of internal flags, and of refused attempts")
    func sendsInOrder() async throws {
        try await fixture.set("shop", "a", to: "before")
        let webhook = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        await #expect(throws: ChangeError.self) { try await fixture.set("shop", "a", to: "denied", role: .viewer) }
        try await editHidden("sesame")
        try await fixture.sending(sender()) {
            try await fixture.set("other", to: "2")
            let found = await receiver.next(2)
            #expect(found.count == 2 && found[0].row == 2)
            #expect(try fixture.service.history.chainHead().id == 5, "there are rows in between")
            #expect(found[0].text.hasPrefix(#"{"data":{"after":"1","id":2,"key":"shop/a"},"timestamp":"20"#))
            #expect(found[0].text.hasSuffix(#""type":"flag.changed"}"#))
            #expect(found[1].row == 5 && found[1].text.contains(#""key":"other""#))
            for message in found {
                let stamp = try #require(message.headers["webhook-timestamp"].flatMap { Int64($0) })
                let signature = WebhookSignature.text(
                    of: message.body, id: message.id, timestamp: stamp, with: webhook.secrets[0].secret)
                #expect(message.headers["webhook-signature"] == signature && message.id.hasPrefix("\(webhook.id)_"))
            }
        }
    }

    @Test("A server that shows internal flags tells of them too")
    func tellsOfInternalFlags() async throws {
        let open = try Fixture(showsInternal: true)
        _ = try await open.add(receiver)
        try await open.set("hidden", "secret", to: "1")
        let message = try await open.sending(open.sender()) { await receiver.next() }
        #expect(try #require(message).text.contains("hidden/secret"))
    }

    @Test("A webhook with filters is told of what it wants alone")
    func filters() async throws {
        _ = try await fixture.add(receiver, filters: ["tag=new"])
        for value in ["1", "2"] {
            try await fixture.set("shop", "a", to: value)
            try await fixture.set("shop", "b", to: value)
        }
        let found = try await fixture.sending(sender()) { await receiver.next(2) }
        #expect(found.map(\.row) == [2, 4])
    }

    @Test("A message that is not taken comes again under its id, and the next row waits for it")
    func keepsOrder() async throws {
        receiver.answer(.internalServerError, .found, .unauthorized)
        _ = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        try await fixture.set("shop", "a", to: "2")
        try await fixture.sending(sender()) {
            var found: [Receiver.Message] = []
            let clock = clock
            let time = Task { for await wait in clock.sleeps { clock.advance(by: wait) } }
            defer { time.cancel() }
            found += await receiver.next(5)
            #expect(found.map(\.row) == [1, 1, 1, 1, 2])
            #expect(Set(found.prefix(4).map(\.id)).count == 1 && Set(found.prefix(4).map(\.body)).count == 1)
            let times = found.compactMap { $0.headers["webhook-timestamp"].flatMap { Int($0) } }
            #expect(times[1] - times[0] >= 5 && times[2] - times[1] >= 300 && times[3] - times[2] >= 1800)
            #expect(found.allSatisfy { $0.path == "/hook" }, "no redirect is followed")
        }
    }

    @Test("A webhook that fails ten times is disabled, and goes on from the same row once it is enabled again")
    func disables() async throws {
        receiver.answer(.badGateway, .badGateway, .badGateway, .badGateway, .badGateway)
        receiver.answer(.badGateway, .badGateway, .badGateway, .badGateway, .badGateway)
        let webhook = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        let sender = sender()
        try await fixture.sending(sender) {
            let clock = clock
            let time = Task { for await wait in clock.sleeps { clock.advance(by: wait) } }
            defer { time.cancel() }
            #expect(await receiver.next(10).map(\.row) == Array(repeating: 1, count: 10))
            let said = try #require(await logged("is disabled"))
            #expect(said.contains("Delivery of row 1 failed 10 times. Last error: status 502"))
            let report = try #require(try await sender.reports().first)
            #expect(report.state.disabled != nil && report.state.lastStatus == 502 && report.lag == 1)
            #expect(report.state.failingSince == Fixture.start)
            _ = try await fixture.file.enable(webhook.id)
            #expect(await receiver.next()?.row == 1)
        }
        #expect(try fixture.statesFile.states()[webhook.id]?.disabled == nil)
    }

    @Test("A receiver that answers 410 is left alone")
    func endsWhereGone() async throws {
        receiver.answer(.gone)
        let webhook = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        try await fixture.sending(sender()) {
            #expect(await receiver.next() != nil)
            let said = try #require(await logged("is disabled"))
            #expect(said.contains("Status 410 for row 1"))
        }
        let state = try #require(try fixture.statesFile.states()[webhook.id])
        #expect(state.disabled != nil && state.cursor == 0 && state.lastStatus == 410)
    }

    @Test("A receiver that asks to be left alone is, for as long as it asks", arguments: [429, 503])
    func honoursRetryAfter(status: Int) async throws {
        receiver.answer(HTTPResponse.Status(code: status), headers: [.retryAfter: "600"])
        _ = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        try await fixture.sending(sender()) {
            let clock = clock
            let time = Task {
                var waits: [Duration] = []
                for await wait in clock.sleeps {
                    waits.append(wait)
                    clock.advance(by: wait)
                }
                return waits
            }
            defer { time.cancel() }
            let found = await receiver.next(2)
            #expect(found.map(\.row) == [1, 1])
            let times = found.compactMap { $0.headers["webhook-timestamp"].flatMap { Int($0) } }
            #expect(times[1] - times[0] >= 600)
            time.cancel()
            #expect(await time.value.first == .seconds(600))
        }
    }

    @Test("Rows are sent again where that is asked for, under their old ids, before new ones")
    func replays() async throws {
        let webhook = try await fixture.add(receiver)
        for value in ["1", "2", "3"] { try await fixture.set("shop", "a", to: value) }
        try await fixture.sending(sender()) {
            let first = await receiver.next(3)
            _ = try await fixture.file.replay(webhook.id, from: 2, to: nil)
            let again = await receiver.next(2)
            #expect(again.map(\.id) == first.suffix(2).map(\.id))
            _ = try await fixture.file.replay(webhook.id, from: 1, to: 1)
            #expect(await receiver.next()?.id == first[0].id)
            try await fixture.set("shop", "a", to: "4")
            #expect(await receiver.next()?.row == 4)
        }
    }

    @Test("A webhook that is added while the server runs is told of rows, and one that is removed is not")
    func takesUpChanges() async throws {
        let first = try await fixture.add(receiver, path: "/first")
        let sender = sender()
        try await fixture.sending(sender) {
            try await fixture.set("shop", "a", to: "1")
            #expect(await receiver.next()?.path == "/first")
            _ = try await fixture.file.remove(first.id)
            while await sender.working.contains(first.id) { await Task.yield() }
            _ = try await fixture.add(receiver, path: "/second")
            try await fixture.set("shop", "a", to: "2")
            #expect(await receiver.next()?.path == "/second")
            try await ended(2, of: sender)
        }
        let kept = try fixture.statesFile.states()
        #expect(kept[first.id] == nil)
    }

    @Test("What was delivered and not remembered comes again under its id, and nothing after it is left out")
    func survivesCrash() async throws {
        let webhook = try await fixture.add(receiver)
        try await fixture.set("shop", "a", to: "1")
        let first = try await fixture.sending(sender()) { await receiver.next() }
        // The file as it was before the message was taken.
        try fixture.statesFile.write(WebhookStatesFile.Content(states: [webhook.id: WebhookState(of: webhook)]))
        try await fixture.set("shop", "a", to: "2")
        let found = try await fixture.sending(sender()) { await receiver.next(2) }
        #expect(found.map(\.row) == [1, 2] && found[0].id == first?.id)
    }

    @Test(
        "Where an older history was put back, its new rows are sent although they have old numbers, and its old ones not"
    )
    func followsRestoredHistory() async throws {
        let webhook = try await fixture.add(receiver)
        for value in ["1", "2", "3"] { try await fixture.set("shop", "a", to: value) }
        let second = try #require(try fixture.service.history.record(2, hiddenKeys: []))
        var state = WebhookState(of: webhook)
        // It was told of rows that came after the second one and are gone.
        (state.cursor, state.mark) = (
            3, WebhookState.Mark(hash: "00", at: second.event.at.addingTimeInterval(0.000_001))
        )
        #expect(try #require(try state.find(in: fixture.service.history)).contains("the history has been replaced"))
        #expect(state.cursor == 2 && state.mark == nil)
        state.mark = WebhookState.Mark(hash: "00", at: second.event.at)
        try fixture.statesFile.write(WebhookStatesFile.Content(states: [webhook.id: state]))
        let first = try await fixture.sending(sender()) { await receiver.next() }
        // The file keeps whole seconds, so that more may be sent again, and nothing is left out.
        #expect(try #require(first?.row) <= 3)
    }

    @Test("Where the history goes on as it was, so does the webhook; rows that were pruned before are named")
    func findsItsPlace() async throws {
        let webhook = try await fixture.add(receiver)
        for value in ["1", "2", "3"] { try await fixture.set("shop", "a", to: value) }
        let sender = sender()
        try await fixture.sending(sender) { try await ended(3, of: sender) }
        let history = fixture.service.history
        var state = try #require(try fixture.statesFile.states()[webhook.id])
        let head = try history.chainHead()
        #expect(state.cursor == 3 && state.mark?.hash == head.hash.hexadecimal)
        #expect(try state.find(in: history) == nil && state.cursor == 3)
        (state.cursor, state.mark) = (100, nil)
        #expect(try state.find(in: history) == nil && state.cursor == 3)
        let event = HistoryEvent(
            batch: UUID(), at: Date(), actor: "ada", role: "admin", origin: .cli, kind: .prune, provider: nil,
            key: FlagKeyPath(components: ["history"]), type: nil, before: nil, after: nil, reason: "", requestID: nil)
        _ = try history.prune(upTo: 2, archive: nil, recording: event)
        (state.cursor, state.mark) = (2, nil)
        #expect(try state.find(in: history) == nil && state.cursor == 2)
        state.cursor = 0
        #expect(try state.find(in: history) == "rows 1 to 2 were pruned before they were delivered")
        #expect(state.cursor == 2)
    }

    @Test("A state that can't be read keeps everything from being sent, and is told")
    func tellsOfBrokenState() async throws {
        _ = try await fixture.add(receiver)
        try Data("x".utf8).write(to: fixture.statesFile.url)
        try await fixture.set("shop", "a", to: "1")
        let sender = sender()
        try await fixture.sending(sender) {
            let said = try #require(await logged("can't deliver webhooks"))
            #expect(said.contains("flags.webhooks-state.json"))
            #expect(await sender.problems.count == 1)
            try FileManager.default.removeItem(at: fixture.statesFile.url)
            #expect(await receiver.next()?.row == 1)
            #expect(await sender.problems.isEmpty)
        }
    }

    @Test("A test message goes out at once and changes nothing but the list of deliveries")
    func tests() async throws {
        let webhook = try await fixture.add(receiver)
        let sender = sender()
        await sender.look()
        #expect(try await sender.test(webhook.id) == .delivered(status: 204))
        let message = try #require(await receiver.next())
        #expect(message.text.contains("webhook.test") && message.id.contains("_test_"))
        let delivery = try #require(try await sender.reports().first?.deliveries.first)
        #expect(delivery.message == message.id && delivery.occasion == .test && delivery.row == nil)
        #expect(try await sender.message(of: delivery, to: webhook)?.body == message.body)
        #expect(try fixture.statesFile.states()[webhook.id] == nil)
        await #expect(throws: KeptFileError.self) { try await sender.test("wh_none") }
    }
}
