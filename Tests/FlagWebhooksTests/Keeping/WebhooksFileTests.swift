import DurableFiles
import FlagChanges
import Foundation
import Testing

@testable import FlagWebhooks

@Suite("The file of the webhooks")
struct WebhooksFileTests {
    let fixture: Fixture
    let file: WebhooksFile
    private let now = Fixture.start

    init() throws {
        fixture = try Fixture()
        file = fixture.file
    }

    private func add(_ name: String? = nil, _ url: String = "https://hooks.example/a") async throws -> Webhook {
        try await file.add(try WebhookURL(url), named: name, after: 7, at: now)
    }

    @Test("A webhook reads back as it was added, from a file of its owner alone")
    func adds() async throws {
        let made = try await file.add(
            try WebhookURL("https://hooks.example/a"), named: nil,
            filters: [try WebhookFilter("kind=set,reset"), try WebhookFilter("key=shop/*")], template: .slack,
            allowsPrivate: true, after: 7, at: now)
        #expect(made.name == "hooks.example" && made.id.hasPrefix("wh_") && made.after == 7)
        #expect(try WebhooksFile(file.url).webhooks() == [made])
        let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try file.webhook(made.id) == made && file.webhook("hooks.example") == made)
    }

    @Test("Webhooks of one host that are given no name are numbered")
    func numbersNames() async throws {
        let names = [try await add(), try await add(), try await add("hooks.example 4"), try await add()].map(\.name)
        #expect(names == ["hooks.example", "hooks.example 2", "hooks.example 4", "hooks.example 3"])
        #expect(try file.webhooks().map(\.name) == names)
        #expect(try await add().name == "hooks.example 5")
    }

    @Test("Two webhooks of one name, and names that can't be, are refused", arguments: ["first", "", "a\nb", "wh_1"])
    func refusesName(name: String) async throws {
        _ = try await add("first")
        let error = await #expect(throws: KeptFileError.self) { try await add(name) }
        #expect(try #require(error).isRequestAtFault)
        #expect(try file.webhooks().count == 1)
    }

    @Test("A new secret signs beside the old one for a day")
    func rotates() async throws {
        let first = try await add("first")
        let second = try await file.rotate("first", at: now)
        #expect(second.secrets.count == 2 && second.secrets[1].secret == first.secrets[0].secret)
        #expect(second.secrets(at: now).count == 2)
        #expect(second.secrets(at: now + 24 * 3600 - 1).count == 2)
        #expect(second.secrets(at: now + 24 * 3600) == [second.secrets[0].secret])
        #expect(try await file.rotate(first.id, at: now + 25 * 3600).secrets.count == 2)
        #expect(try await file.rotate(first.id, at: now + 25 * 3600).secrets.count == 3)
    }

    @Test("Wishes are counted, so that each is taken up once")
    func wishes() async throws {
        _ = try await add("first")
        #expect(try await file.enable("first").revivals == 1)
        #expect(try await file.replay("first", from: 2, to: 3).replay == Webhook.Replay(number: 1, from: 2, to: 3))
        let webhook = try await file.replay("first", from: 2, to: nil)
        var state = WebhookState(of: webhook)
        (state.revived, state.disabled) = (0, WebhookState.Disabled(at: now, why: "It failed."))
        state.takeUp(webhook)
        #expect(state.disabled == nil && state.replay == WebhookState.Replay(next: 2, to: 7))
        state.replay = nil
        state.takeUp(webhook)
        #expect(state.replay == nil)
        for (from, to) in [(0, 3), (3, 2)] as [(Int64, Int64)] {
            await #expect(throws: KeptFileError.self) { try await file.replay("first", from: from, to: to) }
        }
    }

    @Test("A pause keeps its first time, and its end has a webhook tried at once")
    func pauses() async throws {
        _ = try await add("first")
        #expect(try await file.pause("first", at: now).paused == now)
        #expect(try await file.pause("first", at: now + 60).paused == now)
        #expect(try WebhooksFile(file.url).webhook("first").paused == now)
        let resumed = try await file.resume("first")
        #expect(resumed.paused == nil && resumed.revivals == 1)
    }

    @Test("A new webhook's host is looked up: a private one is refused, and a missing one is told and added")
    func looksUp() async throws {
        func wish(_ url: String, allowsPrivate: Bool = false) throws -> NewWebhook {
            try NewWebhook(url: url, name: "", filters: "tag=a\n", template: "generic", allowsPrivate: allowsPrivate)
        }
        let lookup = HostLookup { host in
            if host == "in.example" { return [IPAddress(bytes: [10, 0, 0, 1])] }
            throw PlainError("no such name")
        }
        let refused = try wish("https://in.example/a")
        let error = await #expect(throws: KeptFileError.self) {
            try await file.add(refused, after: 7, at: now, lookup: lookup)
        }
        #expect(try #require(error).description == "in.example is at 10.0.0.1, a private address")
        #expect(error?.webhookField == .allowsPrivate)
        #expect(try file.webhooks().isEmpty)
        let allowed = try await file.add(
            try wish("https://in.example/a", allowsPrivate: true), after: 7, at: now, lookup: lookup)
        #expect(allowed.webhook.allowsPrivate && allowed.caution == nil)
        #expect(allowed.webhook.filters.map(\.text) == ["tag=a"])
        let missing = try await file.add(try wish("https://out.example/a"), after: 7, at: now, lookup: lookup)
        #expect(missing.caution == "can't find the host out.example: no such name")
        #expect(missing.webhook.name == "out.example" && missing.webhook.after == 7)
    }

    @Test("Filters are limited in length and number, so that the file stays one that can be read")
    func limitsFilters() async throws {
        #expect(throws: PlainError.self) { try WebhookFilter("tag=" + String(repeating: "a", count: 500)) }
        let many = try NewWebhook(
            url: "https://93.184.216.34/a", name: "", filters: String(repeating: "tag=a\n", count: 51),
            template: "generic", allowsPrivate: false)
        let error = await #expect(throws: KeptFileError.self) { try await file.add(many, after: 0, at: now) }
        #expect(error?.webhookField == .filters)
    }

    @Test("A webhook that is removed is gone, and one that is not there can't be")
    func removes() async throws {
        _ = try await add("first")
        let second = try await add("second")
        #expect(try await file.remove("first").name == "first")
        #expect(try file.webhooks() == [second])
        let error = await #expect(throws: KeptFileError.self) { try await file.remove("first") }
        #expect(try #require(error).description.contains("flagboard webhook list"))
    }

    @Test(
        "A file that others can read, or that says something else, is refused with what is wrong",
        arguments: [
            ("{}", 0o600, "is missing"), ("x", 0o600, "not a valid webhooks file"),
            (#"{"version":2,"webhooks":[]}"#, 0o600, "version 2 is not supported"),
            (#"{"version":1,"webhooks":[]}"#, 0o644, "chmod 600"),
            (#"{"version":1,"webhooks":[{"id":"wh_1","name":"a","url":"ftp://a/"}]}"#, 0o600, "invalid URL"),
        ])
    func refusesFile(text: String, mode: Int, words: String) throws {
        try Data(text.utf8).write(to: file.url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.url.path)
        let error = #expect(throws: KeptFileError.self) { try file.webhooks() }
        #expect(try #require(error).description.contains(words))
    }

    @Test("The files of the webhooks are Flagboard's own, which nothing else may be")
    func areOwn() throws {
        let files = fixture.service.files
        #expect(try files.use(of: files.webhooks)?.name == "the webhooks file")
        #expect(try files.use(of: files.webhooksState)?.name == "the webhook state file")
        #expect(files.webhooks.lastPathComponent == "flags.webhooks.json")
    }
}
