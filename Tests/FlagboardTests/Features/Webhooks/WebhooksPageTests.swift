import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import FlagWebhooks
@testable import Flagboard

@Suite("The page about webhooks")
struct WebhooksPageTests {
    let fixture: DashboardFixture
    let file: WebhooksFile

    init() throws {
        fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")], role: .admin,
            clock: { Samples.now })
        file = WebhooksFile(fixture.service.files.webhooks)
    }

    /// Adds a webhook that no program answers.
    private func add(_ name: String) async throws -> Webhook {
        try await file.add(
            try WebhookURL("http://127.0.0.1:9/very-secret"), named: name, filters: [try WebhookFilter("key=count")],
            allowsPrivate: true, after: 0, at: Date())
    }

    @Test("It lists who is told of what, and neither a secret nor the path of an address")
    func lists() async throws {
        #expect(try await fixture.get("/webhooks").body.contains("There is no webhook."))
        let webhook = try await add("<b>till")
        let page = try await fixture.get("/webhooks").body
        for text in ["&lt;b&gt;till", "http://127.0.0.1:9/…", "key=count", "Nothing taken yet. Up to date."] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("very-secret") && !page.contains(webhook.secrets[0].secret.text))
        #expect(try await fixture.get("/").body.contains("href=\"/webhooks\""))
    }

    @Test("Its forms test, replay, enable and remove a webhook, and say so")
    func acts() async throws {
        let webhook = try await add("till")
        let flag = try await fixture.get("/flags/count")
        let revision = try #require(flag.field("revision"))
        let change = try await fixture.post("/flags/count", ["action": "set", "value": "5", "revision": revision])
        #expect(change.status == 303)
        let tested = try await fixture.post("/webhooks/test", ["id": webhook.id])
        #expect(tested.status == 303 && tested.headers[.location] == "/webhooks?done=test")
        #expect(try await fixture.get("/webhooks?done=test").body.contains(">just now</time>: not taken"))
        #expect(try await fixture.post("/webhooks/replay", ["id": webhook.id, "from": "1"]).status == 303)
        #expect(try file.webhooks().first?.replay == Webhook.Replay(number: 1, from: 1, to: 1))
        #expect(try await fixture.get("/webhooks").body.contains("Rows 1 to 1 are being sent again."))
        #expect(try await fixture.post("/webhooks/enable", ["id": webhook.id]).status == 303)
        #expect(try file.webhooks().first?.revivals == 1)
        #expect(try await fixture.post("/webhooks/remove", ["id": webhook.id]).status == 303)
        #expect(try file.webhooks().isEmpty)
        #expect(try await fixture.get("/webhooks?done=removal").body.contains("The webhook is removed."))
    }

    @Test("Rows that there are not are refused", arguments: ["", "0", "2", "x", "-1"])
    func refusesRows(from: String) async throws {
        let webhook = try await add("till")
        let answer = try await fixture.post("/webhooks/replay", ["id": webhook.id, "from": from])
        #expect(answer.status == 422 && answer.body.contains("No such rows"))
        #expect(try file.webhooks().first?.replay == nil)
    }

    @Test("What is wrong with a webhook is told, and what comes next")
    func tellsOfTrouble() {
        let failing = Samples.webhookRow("wh_a") { state in
            (state.failingSince, state.nextTry, state.lastProblem) = (Samples.now, Samples.now + 300, "it answered 500")
        }
        #expect(failing.problem?.contains("it answered 500. The next try is at ") == true)
        #expect(
            failing.mark == "failing" && failing.enabling == "Try now"
                && failing.standing.plain.contains("2 rows behind"))
        let disabled = Samples.webhookRow("wh_a") { state in
            state.disabled = WebhookState.Disabled(at: Samples.now, why: "It answered 410 to row 7.")
        }
        #expect(disabled.problem?.contains("It answered 410 to row 7.") == true)
        #expect(disabled.mark == "disabled" && disabled.enabling == "Enable again")
    }

    @Test("A file that can't be read is told, and changes nothing else of the dashboard")
    func tellsOfBrokenFile() async throws {
        try Data("x".utf8).write(to: file.url)
        let page = try await fixture.get("/webhooks")
        #expect(page.status == 200 && page.body.contains("chmod 600"))
        #expect(try await fixture.post("/webhooks/test", ["id": "wh_a"]).status == 503)
    }

    @Test("The health tells how many webhooks fail, and is sound all the same")
    func health() async throws {
        #expect(try await !fixture.get("/healthz").body.contains("webhooks"))
        let webhook = try await add("till")
        var state = WebhookState(of: webhook)
        state.failingSince = Date()
        try WebhookStatesFile(fixture.service.files.webhooksState).write([webhook.id: state])
        _ = try await fixture.get("/webhooks")
        let answer = try await fixture.get("/healthz")
        #expect(answer.status == 200 && answer.body.contains(#""status":"ready""#))
        #expect(answer.body.contains(#""webhooks":{"disabled":0,"failing":1}"#))
        #expect(try await fixture.get("/metrics").body.contains("flagboard_webhook_lag_rows 0"))
    }

    @Test(
        "The health tells that a file about webhooks can't be read, and which one on this machine alone",
        arguments: ["flags.webhooks.json", "flags.webhooks-state.json"], [true, false])
    func healthOfBrokenFile(name: String, isLocal: Bool) async throws {
        let fixture = try DashboardFixture("", role: .admin, isLocal: isLocal)
        let torn = fixture.folder.appending(path: name)
        try Data("{\"torn".utf8).write(to: torn)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: torn.path)
        _ = try await fixture.get("/webhooks")
        let body = try await fixture.get("/healthz").body
        #expect(body.contains(#""webhooks":{"disabled":0,"failing":0,"problem":""#), "\(body)")
        #expect(body.contains(name) == isLocal && body.contains("see the log") != isLocal, "\(body)")
        #expect(body.contains(#""status":"ready""#))
        try FileManager.default.removeItem(at: torn)
        _ = try await fixture.get("/webhooks")
        #expect(try await !fixture.get("/healthz").body.contains("problem"))
    }
}
