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
        #expect(try await fixture.get("/webhooks").body.contains("No webhooks yet"))
        let webhook = try await add("<b>till")
        let page = try await fixture.get("/webhooks").body
        for text in ["&lt;b&gt;till", "http://127.0.0.1:9/…", "key=count", "No deliveries yet. Up to date."] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("very-secret") && !page.contains(webhook.secrets[0].secret.text))
        #expect(try await fixture.get("/").body.contains("href=\"/webhooks\""))
    }

    /// Posts a form, and returns the page that it leads to.
    private func act(_ path: String, _ fields: KeyValuePairs<String, String>) async throws -> String {
        let answer = try await fixture.post("/webhooks/\(path)", fields)
        #expect(answer.status == 303)
        let place = try #require(answer.headers[.location])
        let page = try await fixture.get(place)
        #expect(page.status == 200)
        #expect(try await !fixture.get(place).body.contains("banner-"), "the notice is shown once")
        return page.body
    }

    private func change(_ value: String) async throws {
        let flag = try await fixture.get("/flags/count")
        let revision = try #require(flag.field("revision"))
        let change = try await fixture.post("/flags/count", ["action": "set", "value": value, "revision": revision])
        #expect(change.status == 303)
    }

    @Test("Its forms test, replay, enable, pause, resume and remove a webhook, and say so once")
    func acts() async throws {
        let webhook = try await add("till")
        try await change("5")
        #expect(try await act("test", ["id": webhook.id]).contains("failed: 127.0.0.1: Connection refused"))
        #expect(try await act("replay", ["id": webhook.id, "from": "1"]).contains("Resending change 1 to “till”"))
        #expect(try file.webhooks().first?.replay == Webhook.Replay(number: 1, from: 1, to: 1))
        #expect(try await fixture.get("/webhooks").body.contains("Resending changes 1 to 1."))
        #expect(try await act("enable", ["id": webhook.id]).contains("Retrying “till” now"))
        #expect(try file.webhooks().first?.revivals == 1)
        let paused = try await act("pause", ["id": webhook.id])
        #expect(paused.contains("Paused “till”. Changes wait until you resume it."))
        #expect(paused.contains("Paused since 2026-11-21 14:05:09 UTC. Changes are kept in the history"))
        #expect(paused.contains("action=\"/webhooks/resume\"") && !paused.contains("action=\"/webhooks/pause\""))
        #expect(try file.webhooks().first?.paused == Samples.now)
        #expect(try await act("resume", ["id": webhook.id]).contains("Resumed “till”."))
        #expect(try file.webhooks().first?.paused == nil)
        #expect(try await act("remove", ["id": webhook.id]).contains("Removed “till”."))
        #expect(try file.webhooks().isEmpty)
    }

    @Test("A delivery has a page with its body, and is sent again; neither secret nor signature is kept")
    func deliveries() async throws {
        let webhook = try await add("till")
        _ = try await act("test", ["id": webhook.id])
        let page = try await fixture.get("/webhooks/\(webhook.id)/deliveries/1")
        #expect(page.status == 200)
        for text in ["No response", "127.0.0.1: Connection refused.", "&quot;webhook.test&quot;", "_test_"] {
            #expect(page.body.contains(text), "\(text)")
        }
        let again = try await act("resend", ["id": webhook.id, "delivery": "1"])
        #expect(again.contains("failed: 127.0.0.1: Connection refused"))
        #expect(again.contains("resent · attempt 2"))
        for path in ["\(webhook.id)/deliveries/9", "wh_none/deliveries/1", "\(webhook.id)/deliveries/x"] {
            #expect(try await fixture.get("/webhooks/\(path)").status == 404)
        }
        _ = try await act("pause", ["id": webhook.id])
        let refused = try await fixture.post("/webhooks/resend", ["id": webhook.id, "delivery": "1"])
        #expect(refused.status == 409 && refused.body.contains("“till” is paused"))
        #expect(try await !fixture.get("/webhooks").body.contains("action=\"/webhooks/resend\""))
        let kept = try String(contentsOf: fixture.service.files.webhooksState, encoding: .utf8)
        #expect(kept.contains("_test_") && !kept.contains("v1,") && !kept.contains("whsec_"))
    }

    @Test("A webhook that is added there shows its secret once, and is told of changes from now on")
    func addsOne() async throws {
        try await change("5")
        let form: KeyValuePairs = [
            "url": " https://203.0.113.7.example/hook ", "name": "", "filters": "key=count\r\n\r\nkind=set",
            "template": "slack",
        ]
        let page = try await fixture.post("/webhooks/add", form)
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        let webhook = try #require(try file.webhooks().first)
        #expect(page.body.contains(webhook.secrets[0].secret.text))
        #expect(page.body.contains("find the host 203.0.113.7.example"))
        #expect(try await !fixture.get("/webhooks").body.contains(webhook.secrets[0].secret.text))
        #expect(webhook.name == "203.0.113.7.example" && webhook.template == .slack && !webhook.allowsPrivate)
        #expect(webhook.filters.map(\.text) == ["key=count", "kind=set"] && webhook.after == 1)
    }

    @Test(
        "A webhook that can't be is refused with what was typed, and the field at fault says why",
        arguments: [
            ("ftp://a.example", "", "", "generic", "url", "it must start with https:// or http://"),
            ("https://a.example", "taken", "", "generic", "name", "A webhook named “taken” already exists."),
            ("https://a.example", "wh_x", "", "generic", "name", "can&#39;t start with wh_"),
            ("https://a.example", "", "tag=a\nodd", "generic", "filters", "“odd” is not a valid filter: use "),
            ("https://a.example", "", "", "xml", "template", "Choose a format"),
            ("http://127.0.0.1:9", "", "", "generic", "url", "127.0.0.1 is this machine."),
        ])
    func refuses(
        url: String, name: String, filters: String, template: String, field: String, problem: String
    ) async throws {
        _ = try await add("taken")
        let fields: KeyValuePairs = [
            "url": url, "name": name, "filters": filters, "template": template, "allowsPrivate": "yes",
        ]
        let answer = try await fixture.post("/webhooks/add", fields)
        #expect(answer.status == 422)
        let told = try #require(answer.body.firstMatch(of: /<p class="problem" id="(\w+)-problem" dir="auto">([^<]*)/))
        #expect(told.1 == field && told.2.contains(problem), "\(told.2)")
        #expect(answer.body.components(separatedBy: "aria-invalid").count == 2)
        #expect(answer.body.contains("name=\"url\" value=\"\(url)\""))
        #expect(filters.isEmpty || answer.body.contains("\n\(filters)</textarea>"))
        #expect(try file.webhooks().count == 1)
    }

    @Test("A private address is refused there whatever the form says, and the command that permits it is shown")
    func refusesPrivate() async throws {
        let form: KeyValuePairs = [
            "url": "http://10.0.0.1/a?b&c", "name": "it's", "filters": "tag=a", "template": "generic",
            "allowsPrivate": "yes",
        ]
        let page = try await fixture.post("/webhooks/add", form).body
        #expect(page.contains("10.0.0.1 is a private address. Webhooks added on this page can only reach public"))
        #expect(page.contains(" --allow-private</pre>") && page.contains("flags.xml"))
        #expect(try file.webhooks().isEmpty)
    }

    @Test("Rows that there are not are refused", arguments: ["", "0", "2", "x", "-1"])
    func refusesRows(from: String) async throws {
        let webhook = try await add("till")
        let answer = try await fixture.post("/webhooks/replay", ["id": webhook.id, "from": from])
        #expect(answer.status == 422 && answer.body.contains("Changes not found"))
        #expect(try file.webhooks().first?.replay == nil)
    }

    @Test("What is wrong with a webhook is told, and what comes next")
    func tellsOfTrouble() {
        let failing = Samples.webhookRow("wh_a") { state in
            (state.failingSince, state.nextTry, state.lastProblem) = (Samples.now, Samples.now + 300, "it answered 500")
        }
        #expect(failing.problem?.contains("it answered 500. Next retry ") == true)
        #expect(
            failing.mark == "Failing" && failing.enabling == "Retry now"
                && failing.standing.plain.contains("2 changes pending"))
        let disabled = Samples.webhookRow("wh_a") { state in
            state.disabled = WebhookState.Disabled(at: Samples.now, why: "It answered 410 to row 7.")
        }
        #expect(disabled.problem?.contains("It answered 410 to row 7.") == true)
        #expect(disabled.mark == "Disabled" && disabled.enabling == "Enable")
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
        try WebhookStatesFile(fixture.service.files.webhooksState).write(
            WebhookStatesFile.Content(states: [webhook.id: state]))
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
