import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Definitions as JSON")
struct DefinitionAPITests {
    private static let flags = [
        DashboardFixture.flag("limit", "integer", "<key>maximum</key><integer>9</integer><key>mine</key><true/>"),
        DashboardFixture.flag("fixed", "bool", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
        DashboardFixture.flag("logo", "data", "<key>default</key><data>AQID</data>"),
        DashboardFixture.flag(
            "size", "choice", "<key>choices</key><array><string>S</string><integer>2</integer></array>"),
        DashboardFixture.flag("when", "date", "<key>default</key><date>2026-01-02T03:04:05Z</date>"),
    ]

    private func fixture(_ role: ChangeAuthor.Role = .admin) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>limit</key><integer>3</integer><key>loose</key><string>x</string>", flags: Self.flags, role: role)
    }

    private func json(_ answer: DashboardFixture.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func send(
        _ fixture: DashboardFixture, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        _ headers: HTTPFields = [.ifMatch: "*"]
    ) async throws -> DashboardFixture.Answer {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        return try await fixture.ask(method, "/api/v1/definitions/\(path)", headers, body: body)
    }

    @Test("The list tells each definition, but for those of internal flags and flags that have none")
    func list() async throws {
        let list = try json(try await fixture(.viewer).get("/api/v1/definitions"))
        let definitions = try #require(list["definitions"] as? [[String: Any]])
        #expect(definitions.compactMap { $0["key"] as? String } == ["limit", "fixed", "logo", "size", "when"])
        let part = try json(try await fixture().get("/api/v1/definitions?limit=2&sort=key&after=fixed"))
        #expect((part["definitions"] as? [[String: Any]])?.map { $0["key"] as? String } == ["limit", "logo"])
        #expect(part["after"] as? String == "logo")
    }

    @Test(
        "What is read of a definition, put back, changes nothing",
        arguments: ["limit", "fixed", "logo", "size", "when"])
    func roundTrip(key: String) async throws {
        let fixture = try fixture()
        let before = try Data(contentsOf: fixture.manifest)
        let answer = try await fixture.get("/api/v1/definitions/\(key)")
        let document = try json(answer)
        let tag = try #require(answer.headers[.eTag])
        #expect(tag == "\"\(document["revision"] as? String ?? "")\"")
        let body = try JSONSerialization.data(withJSONObject: ["definition": document["definition"] ?? [:]])
        let put = try await send(fixture, .put, key, String(decoding: body, as: UTF8.self), [.ifMatch: tag])
        #expect(try put.status == 200 && json(put)["outcome"] as? String == "unchanged", "\(put.body)")
        #expect(try Data(contentsOf: fixture.manifest) == before)
        #expect(try fixture.rows().isEmpty)
    }

    @Test("A flag is defined where it has no definition, with the same row in the history as by the page's form")
    func define() async throws {
        let (fixture, other) = (try fixture(), try fixture())
        let body = #"{"definition": {"type": "integer", "default": 2, "tags": ["a"]}, "reason": "new"}"#
        let made = try await send(fixture, .put, "shop/count", body, [.ifNoneMatch: "*"])
        #expect(made.status == 200, "\(made.body)")
        let page = try await other.post(
            "/definitions/new",
            ["action": "save", "key": "shop/count", "type": "integer", "default": "2", "tags": "a", "reason": "new"])
        #expect(page.status == 303)
        #expect(try Data(contentsOf: fixture.manifest) == Data(contentsOf: other.manifest))
        let (one, two) = (try #require(try fixture.rows().first?.event), try #require(try other.rows().first?.event))
        #expect(one.kind == .define && one.kind == two.kind && one.after == two.after && one.reason == two.reason)
        #expect(one.origin == .api && two.origin == .form)
        let again = try await send(fixture, .put, "shop/count", body, [.ifNoneMatch: "*"])
        #expect(again.status == 412)
        #expect(made.headers[.eTag] == (try await fixture.get("/api/v1/definitions/shop/count")).headers[.eTag])
    }

    @Test("A definition is changed under its revision; what Flagboard does not know of it stays")
    func redefine() async throws {
        let fixture = try fixture()
        let tag = try #require(try await fixture.get("/api/v1/definitions/limit").headers[.eTag])
        let body = #"{"definition": {"type": "integer", "maximum": 5, "owner": "ann"}}"#
        #expect(try await send(fixture, .put, "limit", body, [:]).status == 428)
        #expect(try await send(fixture, .put, "limit", body, [.ifMatch: "\"x\""]).status == 412)
        #expect(try await send(fixture, .put, "limit", body, [.ifMatch: tag]).status == 200)
        let text = try String(contentsOf: fixture.manifest, encoding: .utf8)
        #expect(text.contains("<integer>5</integer>") && text.contains("<key>mine</key>") && text.contains("ann"))
        #expect(try await send(fixture, .put, "limit", body, [.ifMatch: tag]).status == 412)
        // The value 3 would not be valid any more.
        let narrow = #"{"definition": {"type": "integer", "maximum": 2}}"#
        #expect(try await send(fixture, .put, "limit", narrow).status == 422)
        let breaking = #"{"definition": {"type": "integer", "maximum": 2}, "breaksValues": true}"#
        #expect(try await send(fixture, .put, "limit", breaking).status == 200)
    }

    @Test("What is told of a change is what it made, whatever others made of the definition since")
    func revisionOfTheChange() async throws {
        let fixture = try fixture()
        let body = #"{"definition": {"type": "integer", "maximum": 5}}"#
        let mine: HTTPFields = [.ifNoneMatch: "*", .idempotencyKey: "k"]
        let made = try await send(fixture, .put, "z", body, mine)
        let tag = try #require(made.headers[.eTag])
        let read = try await fixture.get("/api/v1/definitions/z")
        #expect(made.status == 200 && tag == read.headers[.eTag] && made.body.contains(read.body))
        let theirs = try await send(
            fixture, .put, "z", #"{"definition": {"type": "integer", "maximum": 7}}"#, [.ifMatch: tag])
        #expect(theirs.status == 200 && theirs.headers[.eTag] != tag)
        let again = try await send(fixture, .put, "z", body, mine)
        #expect(again.status == 200 && again.headers[.eTag] == tag && again.body == made.body, "\(again.body)")
        #expect(try await send(fixture, .put, "z", body, [.ifMatch: tag]).status == 412)
        // Nothing is changed by what there is already, which is told with its own revision.
        let now = try #require(theirs.headers[.eTag])
        let same = try await send(
            fixture, .put, "z", #"{"definition": {"type": "integer", "maximum": 7}}"#, [.ifMatch: now])
        #expect(try json(same)["outcome"] as? String == "unchanged" && same.headers[.eTag] == now)
        let moved = try await send(
            fixture, .post, "z", #"{"action": "rename", "newKey": "y"}"#, [.ifMatch: now])
        let there = try await fixture.get("/api/v1/definitions/y")
        #expect(moved.headers[.eTag] == there.headers[.eTag] && there.status == 200)
        #expect((try json(moved)["definition"] as? [String: Any])?["key"] as? String == "y")
        let gone = try await send(fixture, .delete, "y")
        #expect(try gone.headers[.eTag] == nil && json(gone)["definition"] == nil)
    }

    @Test("Only a flag that has a definition is told to be defined already")
    func definedAlready() async throws {
        let fixture = try fixture()
        let body = #"{"definition": {"type": "integer"}}"#
        let new: HTTPFields = [.ifNoneMatch: "*", .idempotencyKey: "k"]
        #expect(try await send(fixture, .put, "fresh", body, new).status == 200)
        let other = try await send(fixture, .put, "fresh", #"{"definition": {"type": "bool"}}"#, new)
        #expect(other.status == 422 && other.body.contains("Idempotency-Key already used"), "\(other.body)")
        let reason = String(repeating: "x", count: 1_200)
        let long = #"{"definition": {"type": "integer"}, "reason": "\#(reason)"}"#
        let wordy = try await send(fixture, .put, "limit", long, [.ifNoneMatch: "*"])
        #expect(wordy.status == 422 && wordy.body.contains("Reason too long"), "\(wordy.body)")
        #expect(try await send(fixture, .put, "limit/inner", body, [.ifNoneMatch: "*"]).status == 422)
        #expect(try await send(fixture, .put, "limit", body, [.ifNoneMatch: "*"]).status == 412)
    }

    @Test("A flag is renamed with its values, retired, taken back, and removed")
    func others() async throws {
        let fixture = try fixture()
        #expect(try await send(fixture, .post, "limit", #"{"action": "rename", "newKey": "shop/limit"}"#).status == 200)
        #expect(try json(try await fixture.get("/api/v1/flags/shop/limit"))["value"] as? Int == 3)
        #expect(try await fixture.get("/api/v1/flags/limit").status == 404)
        #expect(try await send(fixture, .post, "shop/limit", #"{"action": "retire"}"#).status == 422)
        let retire = try await send(fixture, .post, "shop/limit", #"{"action": "retire", "reason": "old"}"#)
        let definition = try json(retire)["definition"] as? [String: Any]
        #expect((definition?["definition"] as? [String: Any])?["retired"] as? String == "old")
        #expect(try await send(fixture, .post, "shop/limit", #"{"action": "restore"}"#).status == 200)
        #expect(try await send(fixture, .delete, "shop/limit?keepValues=true").status == 200)
        #expect(try json(try await fixture.get("/api/v1/flags/shop/limit"))["isDefined"] as? Bool == false)
        #expect(try await fixture.get("/api/v1/definitions/shop/limit").status == 404)
        #expect(try await send(fixture, .delete, "fixed").status == 423)
        let kinds = try fixture.rows().map(\.event.kind)
        #expect(kinds.first == .denied && kinds.contains(.remove) && kinds.contains(.redefine))
    }

    @Test(
        "What is no definition is refused, field by field, and nothing is written",
        arguments: [
            (#"{"definition": {"type": "integer", "islocked": true}}"#, 400, "islocked"),
            (#"{"definition": {"type": "odd"}}"#, 422, "type"), (#"{"definition": []}"#, 400, "object"),
            (#"{"definition": {"type": "integer", "default": "x"}}"#, 422, "default"),
            (#"{"definition": {"type": "integer", "default": null}}"#, 422, "default"),
            (#"{"definition": {"type": "data", "default": "???"}}"#, 422, "default"),
            (#"{"definition": {"type": "bool", "key": "other"}}"#, 400, "key"), (#"{}"#, 400, "definition"),
            (#"{"definition": {"type": "bool"}, "breaksValues": 1}"#, 400, "breaksValues"),
        ] as [(String, Int, String)])
    func refused(body: String, status: Int, word: String) async throws {
        let fixture = try fixture()
        let before = try Data(contentsOf: fixture.manifest)
        for headers in [[.ifMatch: "*"], [.ifNoneMatch: "*"]] as [HTTPFields] {
            let key = headers[.ifMatch] == nil ? "fresh" : "limit"
            let answer = try await send(fixture, .put, key, body, headers)
            #expect(answer.status == status && answer.body.contains(word), "\(answer.body)")
        }
        #expect(try Data(contentsOf: fixture.manifest) == before && fixture.rows().isEmpty)
    }

    @Test(
        "Who is no admin changes no definition, and the attempt is in the history",
        arguments: [
            ChangeAuthor.Role.viewer, .editor,
        ])
    func roles(role: ChangeAuthor.Role) async throws {
        let fixture = try fixture(role)
        let answer = try await send(fixture, .put, "limit", #"{"definition": {"type": "integer"}}"#)
        #expect(answer.status == 403)
        #expect(try await send(fixture, .delete, "limit").status == 403)
        #expect(try fixture.rows().map(\.event.kind) == [.denied, .denied])
        // An internal flag is as one that is not there.
        #expect(
            try await send(fixture, .get, "hidden").body
                == send(fixture, .get, "hiddex").body
                .replacing("hiddex", with: "hidden"))
    }
}
