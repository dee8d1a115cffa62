import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Flagboard

@Suite("Flags as JSON")
struct APITests {
    private static let flags = [
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>5</integer>"),
        DashboardFixture.flag("ui/on", "bool"),
        DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
        DashboardFixture.flag("ratio", "double"), DashboardFixture.flag("when", "date"),
        DashboardFixture.flag("table", "dictionary"), DashboardFixture.flag("list", "array"),
        DashboardFixture.flag("motd", "string"), DashboardFixture.flag("blob", "data"),
        DashboardFixture.flag(
            "size", "choice", "<key>choices</key><array><string>S</string><integer>2</integer></array>"),
    ]

    private func fixture(
        _ values: String = "<key>count</key><integer>3</integer><key>hidden</key><true/>", team: String? = nil
    ) throws -> DashboardFixture {
        try DashboardFixture(values, flags: Self.flags, team: team)
    }

    private func json(_ answer: DashboardFixture.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func send(
        _ fixture: DashboardFixture, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        match: String? = "*", _ headers: HTTPFields = [:]
    ) async throws -> DashboardFixture.Answer {
        var headers = headers
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        if let match { headers[.ifMatch] = match }
        return try await fixture.ask(method, path, headers, body: body)
    }

    @Test("A list of any length is the documents of its flags, each with its members in the order of their names")
    func longList() async throws {
        let values = (0..<400).map {
            "<key>flag\(1000 + $0)</key><string>\(String(repeating: "é\"", count: 100))</string>"
        }
        let fixture = try fixture(values.joined() + "<key>count</key><true/><key>size</key><string>S</string>")
        let list = try await fixture.get("/api/v1/flags").body
        #expect(list.utf8.count > 400_000)
        let keys = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: [[String: Any]]])
        let documents = try #require(keys["flags"])
        #expect(documents.count == 410)
        var alone: [String] = []
        for document in documents {
            let key = try #require(document["key"] as? String)
            alone.append(try await fixture.get("/api/v1/flags/\(key)").body)
            let sorted = try JSONSerialization.data(
                withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
            #expect(String(decoding: sorted, as: UTF8.self) == alone.last)
        }
        #expect(list == "{\"flags\":[\(alone.joined(separator: ","))]}")
        let head = try await fixture.ask(.head, "/api/v1/flags")
        #expect(head.body.isEmpty && head.headers[.contentLength] == "\(list.utf8.count)")
        let none = try await fixture.get("/api/v1/flags?q=nothing-has-this")
        #expect(none.body == "{\"flags\":[]}" && none.headers[.contentLength] == "12")
    }

    @Test(
        "While a file can't be read, a flag has its last value, and one that may stand in the file is not said to be gone"
    )
    func unreadable() async throws {
        let fixture = try DashboardFixture("<key>plain</key><integer>3</integer>")
        try Data("<plist".utf8).write(to: fixture.file)
        let stale = try await send(fixture, .get, "/api/v1/flags/plain")
        #expect(stale.status == 200 && stale.body.contains("\"isStale\":true") && stale.body.contains("\"value\":3"))
        #expect(try await send(fixture, .get, "/api/v1/flags/other").status == 503)
        #expect(try await send(fixture, .put, "/api/v1/flags/plain", "{\"value\": 4}").status == 503)
        let answer = try await send(fixture, .delete, "/api/v1/flags/plain")
        #expect(answer.status == 503 && answer.body.contains("flags.xml"))
        #expect(try await fixture.get("/flags/other").status == 503)
        let page = try await fixture.get("/flags/plain")
        #expect(page.status == 200 && page.body.contains("Last good value from Local"))
        try Data(DashboardFixture.plist("<dict/>").utf8).write(to: fixture.file)
        #expect(try await send(fixture, .get, "/api/v1/flags/plain").status == 404)
        #expect(try await fixture.get("/flags/plain").status == 404)
    }

    @Test("The answer to a change says whether the flag waits for a restart, and no longer where it is set back")
    func restart() async throws {
        let flags = [
            DashboardFixture.flag("slow", "integer", "<key>requiresRestart</key><true/>"),
            DashboardFixture.flag("quick", "integer"),
        ]
        let fixture = try DashboardFixture("<key>slow</key><integer>1</integer>", flags: flags)
        func waits(_ key: String, _ value: Int) async throws -> Bool? {
            try json(await send(fixture, .put, "/api/v1/flags/\(key)", "{\"value\": \(value)}"))["waitsForRestart"]
                as? Bool
        }
        #expect(try await waits("slow", 2) == true)
        #expect(try await waits("quick", 2) == false)
        #expect(try await waits("slow", 1) == false)
        let batch =
            #"{"changes": [{"key": "slow", "action": "set", "value": 3, "revision": "*"}, "#
            + #"{"key": "quick", "action": "reset", "revision": "*"}]}"#
        let answer = try json(await send(fixture, .post, "/api/v1/batches", batch))
        let outcomes = try #require(answer["outcomes"] as? [[String: Any]])
        #expect(outcomes.map { $0["waitsForRestart"] as? Bool } == [true, false])
    }

    @Test("A flag tells what it is, what a read returns and why, and what each provider holds")
    func flag() async throws {
        let answer = try await fixture(team: "<key>count</key><string>x</string>").get("/api/v1/flags/count")
        let flag = try json(answer)
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
        #expect(flag["key"] as? String == "count" && flag["type"] as? String == "integer")
        #expect(flag["value"] as? Int == 3 && flag["default"] as? Int == 5 && flag["source"] as? String == "Local")
        let providers = try #require(flag["providers"] as? [[String: Any]])
        #expect(providers.map { $0["answer"] as? String } == ["value", "broken"])
        #expect(answer.headers[.eTag] == "\"\(providers[0]["revision"] as? String ?? "")\"")
    }

    @Test("The list holds every flag but the internal ones, and takes the filters of the page")
    func list() async throws {
        let fixture = try fixture()
        let all = try #require(try json(try await fixture.get("/api/v1/flags"))["flags"] as? [[String: Any]])
        #expect(all.count == Self.flags.count - 1)
        let some = try json(try await fixture.get("/api/v1/flags?group=ui"))["flags"] as? [[String: Any]]
        #expect(some?.map { $0["key"] as? String } == ["ui/on"])
        #expect(try await fixture.get("/api/v1/flags?state=odd").status == 400)
        func keys(_ sort: String) async throws -> [String] {
            let flags = try json(try await fixture.get("/api/v1/flags?sort=\(sort)"))["flags"] as? [[String: Any]]
            return try #require(flags).compactMap { $0["key"] as? String }
        }
        #expect(try await send(fixture, .put, "/api/v1/flags/motd", "{\"value\": \"new\"}").status == 200)
        #expect(try await keys("changed").first == "motd")
        #expect(try await keys("key") == keys("key").sorted())
        #expect(try await keys("-key") == keys("key").reversed())
        #expect(try await keys("-changed").first == "motd")
    }

    @Test("A change under the flag's ETag is in the file and in the history, and answers with the next ETag")
    func change() async throws {
        let fixture = try fixture()
        let tag = try #require(try await fixture.get("/api/v1/flags/count").headers[.eTag])
        let body = #"{"value": 7, "reason": "seven"}"#
        let answer = try await send(fixture, .put, "/api/v1/flags/count", body, match: tag)
        #expect(answer.status == 200)
        let change = try #require(try json(answer)["change"] as? [String: Any])
        #expect(change["before"] as? Int == 3 && change["after"] as? Int == 7 && change["origin"] as? String == "api")
        #expect(try fixture.rows().map(\.event.reason) == ["seven"])
        #expect(try String(contentsOf: fixture.file, encoding: .utf8).contains("<integer>7</integer>"))
        let next = try await fixture.get("/api/v1/flags/count").headers[.eTag]
        #expect(answer.headers[.eTag] == next && next != tag)
        let again = try await send(fixture, .put, "/api/v1/flags/count", body, match: next)
        #expect(try json(again)["outcome"] as? String == "unchanged")
        #expect(try fixture.rows().count == 1)
    }

    @Test("A change without If-Match is refused with 428, and one of a stale state with 412 and what is there now")
    func preconditions() async throws {
        let fixture = try fixture()
        let path = "/api/v1/flags/count"
        let tag = try #require(try await fixture.get(path).headers[.eTag])
        #expect(try await send(fixture, .put, path, #"{"value": 7}"#, match: nil).status == 428)
        #expect(try await send(fixture, .delete, path, match: nil).status == 428)
        #expect(try await send(fixture, .put, path, #"{"value": 7}"#, match: "odd").status == 400)
        #expect(try await send(fixture, .put, path, #"{"value": 7}"#, match: tag).status == 200)
        for match in [tag, "W/\(tag)", "\"x\", \(tag)"] {
            let stale = try await send(fixture, .put, path, #"{"value": 9}"#, match: match)
            #expect(stale.status == 412 && stale.headers[.contentType] == "application/problem+json")
            let conflict = try #require(try json(stale)["conflict"] as? [String: Any])
            let theirs = try #require(conflict["theirs"] as? [String: Any])
            #expect(theirs["value"] as? Int == 7 && (theirs["change"] as? [String: Any])?["actor"] as? String == "ada")
            #expect(conflict["yours"] as? Int == 9)
            #expect((conflict["base"] as? [String: Any])?["value"] as? Int == (match == tag ? 3 : nil))
            #expect(stale.headers[.eTag] == "\"\(conflict["revision"] as? String ?? "")\"")
        }
        let current = try #require(try await fixture.get(path).headers[.eTag])
        #expect(try await send(fixture, .delete, path, match: "\"x\", \(current)").status == 200)
        #expect(try json(try await fixture.get(path))["value"] as? Int == 5)
    }

    @Test(
        "A value is taken in JSON's own types, and stored in the flag's",
        arguments: [
            ("ui/on", "true", "<true/>"), ("ratio", "2", "<real>2.0</real>"),
            ("ratio", "\"inf\"", "<real>+infinity</real>"),
            ("when", "\"2026-01-31T12:00:00Z\"", "<string>2026-01-31T12:00:00Z</string>"),
            ("table", #"{"a": [1, 2.5, true]}"#, "<real>2.5</real>"), ("blob", "\"AAE=\"", "AAE="),
            ("size", "2", "<integer>2</integer>"), ("count", "7.0", "<integer>7</integer>"),
            ("count", "12e2", "<integer>1200</integer>"), ("motd", "\"\"", "<string></string>"),
            ("count", "18446744073709551615", "<integer>18446744073709551615</integer>"),
        ])
    func types(key: String, json value: String, stored: String) async throws {
        let fixture = try fixture()
        let answer = try await send(fixture, .put, "/api/v1/flags/\(key)", "{\"value\": \(value)}")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try String(contentsOf: fixture.file, encoding: .utf8).contains(stored))
    }

    @Test(
        "A value of another type is refused, and nothing is changed",
        arguments: [
            ("ui/on", "\"true\""), ("ui/on", "1"), ("count", "\"7\""), ("count", "7.5"),
            ("count", "9007199254740994.0"), ("ratio", "\"2\""),
            ("when", "12"), ("when", "\"soon\""), ("table", "[]"), ("list", "{}"), ("motd", "5"), ("size", "\"L\""),
            ("blob", "\"?\""),
        ])
    func wrongTypes(key: String, json value: String) async throws {
        let fixture = try fixture()
        let before = try Data(contentsOf: fixture.file)
        let answer = try await send(fixture, .put, "/api/v1/flags/\(key)", "{\"value\": \(value)}")
        #expect(answer.status == 422)
        #expect(try json(answer)["key"] as? String == key)
        #expect(try Data(contentsOf: fixture.file) == before)
    }

    @Test("A flag's document has the name of its icon, if it has one")
    func icons() async throws {
        let fixture = try DashboardFixture(
            "",
            flags: [
                DashboardFixture.flag("with", "bool", "<key>icon</key><string>cart.badge.plus</string>"),
                DashboardFixture.flag("without", "bool"),
            ])
        #expect(try json(try await fixture.get("/api/v1/flags/with"))["icon"] as? String == "cart.badge.plus")
        #expect(try json(try await fixture.get("/api/v1/flags/without"))["icon"] == nil)
    }

    @Test("A value that a provider can't store is refused as one that the flag can't have")
    func unstorable() async throws {
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("count", "integer"), DashboardFixture.flag("on", "bool")],
            overrides: "<key>Override_on</key><string>OFF</string>")
        let refused = try await send(fixture, .put, "/api/v1/flags/count?provider=App", #"{"value": 7}"#)
        #expect(refused.status == 422 && refused.body.contains("the only type that Override stores"), "\(refused.body)")
        #expect(try json(refused)["key"] as? String == "count")
        #expect(try fixture.rows().isEmpty)
        let stored = try await send(fixture, .put, "/api/v1/flags/on?provider=App", #"{"value": true}"#)
        #expect(stored.status == 200, "\(stored.body)")
    }

    @Test(
        "What can't be done says so as a problem document",
        arguments: [
            (.put, "/api/v1/flags/fixed", #"{"value": 1}"#, 423),
            (.put, "/api/v1/flags/hidden", #"{"value": true}"#, 404),
            (.get, "/api/v1/flags/hidden", nil, 404), (.get, "/api/v1/flags/none", nil, 404),
            (.put, "/api/v1/flags/count", "{", 400), (.put, "/api/v1/flags/count", "[]", 400),
            (.put, "/api/v1/flags/count", #"{"value": null}"#, 422),
            (.put, "/api/v1/flags/count", #"{"value": 1, "vlaue": 2}"#, 400),
            (.put, "/api/v1/flags/count", #"{"value": 1, "value": 2}"#, 400),
            (.put, "/api/v1/flags/count", #"{"reason": "x"}"#, 400),
            (.put, "/api/v1/flags/count", #"{"value": 1, "reason": 5}"#, 400),
            (.put, "/api/v1/flags/count", #"{"value": 1, "provider": "None"}"#, 403),
            (.put, "/api/v1/flags/count?provider=None", #"{"value": 1}"#, 403),
            (.put, "/api/v1/flags/count?provider=a", #"{"value": 1, "provider": "b"}"#, 400),
            (.put, "/api/v1/flags/count?provder=a", #"{"value": 1}"#, 400),
            (.delete, "/api/v1/flags/count?provder=a", nil, 400), (.get, "/api/v1/flags/count?provider=None", nil, 404),
            (.post, "/api/v1/flags/count", "{}", 405), (.get, "/api/v1/nothing", nil, 404),
            (.get, "/api/v1/history/99", nil, 404), (.get, "/api/v1/history?from=soon", nil, 400),
        ] as [(HTTPRequest.Method, String, String?, Int)])
    func problems(method: HTTPRequest.Method, path: String, body: String?, status: Int) async throws {
        let answer = try await send(try fixture(), method, path, body)
        #expect(answer.status == status, "\(answer.body)")
        #expect(answer.headers[.contentType] == "application/problem+json")
        let problem = try json(answer)
        #expect(problem["status"] as? Int == status && problem["detail"] is String && problem["remedy"] is String)
    }

    @Test("A body that is no JSON by its type is refused, as is one that is too large")
    func bodies() async throws {
        let fixture = try fixture()
        let path = "/api/v1/flags/count"
        let form = try await send(
            fixture, .put, path, "value=1", [.contentType: "application/x-www-form-urlencoded"])
        #expect(form.status == 415)
        for (method, path) in [(HTTPRequest.Method.put, path), (.post, "/api/v1/batches")] {
            let encoded = try await send(fixture, method, path, "\u{1F}\u{8B}\u{8}", [.contentEncoding: "gzip"])
            #expect(encoded.status == 415 && encoded.body.contains("Content-Encoding"))
        }
        let long = "{\"value\": \"\(String(repeating: "x", count: FormFields.maximumBytes))\"}"
        #expect(try await send(fixture, .put, path, long).status == 413)
        let reason = String(repeating: "r", count: Change.longestReason + 1)
        #expect(try await send(fixture, .put, path, "{\"value\": 1, \"reason\": \"\(reason)\"}").status == 422)
        #expect(try fixture.rows().isEmpty)
    }

    @Test(
        "A program needs no page to ask from, but what a browser sends from elsewhere is refused",
        arguments: [
            ([:], 200), ([.secFetchSite: "same-origin"], 200), ([.secFetchSite: "cross-site"], 403),
            ([.secFetchSite: "same-site"], 403), ([.origin: "http://evil.example"], 403), ([.origin: "null"], 403),
            ([.cookie: "a=b"], 403),
        ] as [(HTTPFields, Int)])
    func origins(headers: HTTPFields, status: Int) async throws {
        let fixture = try fixture()
        let answer = try await send(fixture, .put, "/api/v1/flags/count", #"{"value": 7}"#, headers)
        #expect(answer.status == status)
        #expect(try fixture.rows().count == (status == 200 ? 1 : 0))
    }

    @Test("A request that is repeated under its idempotency key gets the first answer, and is made once")
    func repeated() async throws {
        let fixture = try fixture()
        let path = "/api/v1/flags/count"
        let tag = try #require(try await fixture.get(path).headers[.eTag])
        let key: HTTPFields = [.idempotencyKey: "a-1"]
        let first = try await send(fixture, .put, path, #"{"value": 7}"#, match: tag, key)
        let second = try await send(fixture, .put, path, #"{"value": 7}"#, match: tag, key)
        #expect(first.status == 200 && second.status == 200)
        #expect(try json(first)["change"] as? NSDictionary == (try json(second)["change"] as? NSDictionary))
        #expect(try await send(fixture, .put, path, #"{"value": 8}"#, match: tag, key).status == 422)
        #expect(try await send(fixture, .put, path, #"{"value": 8}"#, [.idempotencyKey: ""]).status == 400)
        #expect(try fixture.rows().count == 1)
    }

    @Test("A repeated request that names several revisions gets the first answer with its ETag, whatever came since")
    func repeatedSince() async throws {
        let fixture = try fixture()
        let path = "/api/v1/flags/count"
        let tag = try #require(try await fixture.get(path).headers[.eTag])
        let key: HTTPFields = [.idempotencyKey: "a-2"]
        let mine = try await send(fixture, .put, path, #"{"value": 7}"#, match: "\"x\", \(tag)", key)
        _ = try await send(fixture, .put, path, #"{"value": 8}"#)
        let again = try await send(fixture, .put, path, #"{"value": 7}"#, match: "\"x\", \(tag)", key)
        #expect(again.status == 200 && again.headers[.eTag] == mine.headers[.eTag])
        let next = try #require(again.headers[.eTag])
        #expect(try await send(fixture, .put, path, #"{"value": 9}"#, match: next).status == 412)
        #expect(try json(try await fixture.get(path))["value"] as? Int == 8)
    }

    @Test("A value is set in the provider that the query names")
    func namedProvider() async throws {
        let fixture = try fixture(team: "")
        let answer = try await send(
            fixture, .put, "/api/v1/flags/ui/on?provider=Team", #"{"value": true}"#, match: "\"absent\"")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try fixture.rows().map(\.event.provider) == ["Team"])
    }

    @Test("A batch is one in the history; a preview of it changes nothing")
    func batch() async throws {
        let fixture = try fixture(team: "")
        let changes = """
            [{"key": "count", "action": "set", "value": 7, "revision": "*"},
             {"key": "ui/on", "action": "set", "value": true, "provider": "Team", "revision": "absent"}]
            """
        let preview = try await send(
            fixture, .post, "/api/v1/batches", "{\"preview\": true, \"changes\": \(changes)}", match: nil)
        let items = try #require(try json(preview)["changes"] as? [[String: Any]])
        #expect(items.map { $0["before"] as? Int } == [3, nil] && items.map { $0["after"] as? Int } == [7, 1])
        #expect(try fixture.rows().isEmpty)
        let body = "{\"reason\": \"both\", \"changes\": \(changes)}"
        let answer = try await send(fixture, .post, "/api/v1/batches", body, match: nil)
        #expect(answer.status == 200, "\(answer.body)")
        let rows = try fixture.rows().map(\.event)
        #expect(Set(rows.map(\.batch)).count == 1 && rows.map(\.reason) == ["both", "both"])
    }

    @Test(
        "A batch of which one change is refused changes nothing, and says what is wrong with which",
        arguments: [
            (#"{"key": "fixed", "action": "set", "value": 1, "revision": "*"}"#, 423),
            (#"{"key": "hidden", "action": "reset", "revision": "*"}"#, 404),
            (#"{"key": "ui/on", "action": "set", "value": true, "revision": "stale"}"#, 412),
            (#"{"key": "ui/on", "action": "set", "value": true}"#, 428),
            (#"{"key": "ui/on", "action": "lock"}"#, 403), (#"{"key": "ui/on", "action": "set"}"#, 400),
            (#"{"key": "ui/on", "action": "reset", "value": 1, "revision": "*"}"#, 400), (#"{"action": "lock"}"#, 400),
            (#""count""#, 400),
            (#"{"key": "ui/on", "action": "set", "value": true, "revision": "*", "breaksValues": true}"#, 400),
            (#"{"key": "ui/on", "action": "lock", "breaksValues": false}"#, 400),
        ])
    func refusedBatch(change: String, status: Int) async throws {
        let fixture = try fixture()
        let before = try Data(contentsOf: fixture.file)
        let body = #"{"changes": [{"key": "count", "action": "set", "value": 7, "revision": "*"}, \#(change)]}"#
        let answer = try await send(fixture, .post, "/api/v1/batches", body, match: nil)
        #expect(answer.status == status, "\(answer.body)")
        #expect(try Data(contentsOf: fixture.file) == before)
        guard let items = try json(answer)["changes"] as? [[String: Any]] else {
            #expect(status == 400 || status == 428)
            return
        }
        #expect(items.count == 2 && items[0]["refusal"] == nil)
        #expect((items[1]["refusal"] as? [String: Any])?["status"] as? Int == status)
    }

    @Test("The history comes in pages, with what was changed and by whom")
    func history() async throws {
        let fixture = try fixture()
        for value in 10..<13 {
            _ = try await send(fixture, .put, "/api/v1/flags/count", "{\"value\": \(value)}")
        }
        let page = try json(try await fixture.get("/api/v1/history?key=count&before=3"))
        let changes = try #require(page["changes"] as? [[String: Any]])
        #expect(changes.map { $0["id"] as? Int } == [2, 1] && page["total"] as? Int == 3)
        let one = try json(try await fixture.get("/api/v1/history/2"))
        #expect(one["after"] as? Int == 11 && one["actor"] as? String == "ada")
    }
}
