import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Flagboard

@Suite("JSON that is stored as data, and numbers, on every way out")
struct StoredLayoutPagesTests {
    private static let held = Data(#"{"a":[1.0,2,null]}"#.utf8).base64EncodedString()

    private func fixture(
        _ values: String = "<key>layout</key><data>\(held)</data>", _ more: String = "", team: String? = nil,
        role: ChangeAuthor.Role = .admin
    ) throws -> DashboardFixture {
        try DashboardFixture(
            values,
            flags: [
                DashboardFixture.flag("layout", "json", more), DashboardFixture.flag("list", "array"),
                DashboardFixture.flag("ratio", "double"), DashboardFixture.flag("blob", "data"),
            ], team: team, role: role)
    }

    private func put(_ fixture: DashboardFixture, _ path: String, _ body: String) async throws
        -> DashboardFixture.Answer
    {
        try await fixture.ask(.put, path, [.contentType: "application/json", .ifMatch: "*"], body: body)
    }

    @Test("The API tells the JSON of a flag, of its changes, of previews and of conflicts")
    func api() async throws {
        let fixture = try fixture()
        let flag = try await fixture.get("/api/v1/flags/layout")
        #expect(flag.body.contains(#""value":{"a":[1.0,2,null]}"#) && !flag.body.contains(Self.held))
        #expect(try await fixture.get("/api/v1/flags").body.contains(#""value":{"a":[1.0,2,null]}"#))
        let answer = try await put(fixture, "/api/v1/flags/layout", #"{"value": {"x": null}}"#)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.body.contains(#""after":{"x":null},"#) && answer.body.contains(#""before":{"a":[1.0,2,null]},"#))
        #expect(try await fixture.get("/api/v1/history/1").body.contains(#""before":{"a":[1.0,2,null]}"#))
        let preview = try await fixture.ask(
            .post, "/api/v1/batches", [.contentType: "application/json"],
            body:
                #"{"preview": true, "changes": [{"key": "layout", "action": "set", "value": [null], "revision": "*"}]}"#
        )
        #expect(preview.body.contains(#""after":[null],"before":{"x":null}"#), "\(preview.body)")
        let conflict = try await fixture.ask(
            .put, "/api/v1/flags/layout", [.contentType: "application/json", .ifMatch: "\"old\""],
            body: #"{"value": [null]}"#)
        #expect(conflict.status == 412 && conflict.body.contains(#""value":{"x":null}"#), "\(conflict.body)")
        #expect(conflict.body.contains(#""yours":[null]"#))
        let file = try PropertyListDocument(source: Data(contentsOf: fixture.file)).root
        #expect(file == ["layout": .data(Data(#"{"x":null}"#.utf8))])
    }

    @Test("null is refused by API and form for one reason where the layout is a dictionary")
    func refusedNull() async throws {
        let fixture = try fixture("<key>layout</key><dict/>")
        let told = try await put(fixture, "/api/v1/flags/layout", #"{"value": {"x": null}}"#)
        let page = try await fixture.post(
            "/flags/layout", ["action": "set", "provider": "Local", "value": #"{"x": null}"#, "revision": ""])
        #expect(told.status == 422 && page.status == 422)
        for answer in [told, page] {
            #expect(answer.body.contains("Null at /x: a property list can"))
            #expect(answer.body.contains("set storage to data"))
        }
    }

    @Test("Pages show the JSON, and other data as data")
    func pages() async throws {
        let fixture = try fixture("<key>layout</key><data>\(Self.held)</data><key>blob</key><data>AAEC</data>")
        for path in ["/", "/flags/layout"] {
            let page = try await fixture.get(path)
            #expect(page.body.contains("{ &quot;a&quot;: [ 1.0, 2, null ] }"), "\(path)")
            #expect(!page.body.contains(Self.held))
        }
        #expect(try await fixture.get("/").body.contains("3 bytes"))
        let csv = try await put(fixture, "/api/v1/flags/layout", #"{"value": [1.0]}"#)
        #expect(csv.status == 200)
        let rows = try await fixture.get("/export/history.csv").body
        #expect(rows.contains(#""{ ""a"": [ 1.0, 2, null ] }",data,[ 1.0 ],data"#), "\(rows)")
        #expect(try await fixture.get("/history").body.contains("{ &quot;a&quot;: [ 1.0, 2, null ] }"))
        #expect(try await fixture.get("/export/flags.json").body.contains("1.0\n"))
    }

    @Test("Two providers that hold the same JSON in different layouts are the same")
    func comparing() async throws {
        let json = Data(#"{"a": 1}"#.utf8).base64EncodedString()
        let fixture = try fixture(
            "<key>layout</key><data>\(json)</data>",
            team: "<key>layout</key><dict><key>a</key><integer>1</integer></dict>")
        let page = try await fixture.get("/compare?left=provider:Local&right=provider:Team&extent=all")
        #expect(page.status == 200)
        let definition = FlagDefinition(key: FlagKeyPath(components: ["layout"]), type: .json)
        let sides: [FlagResolution.Answer] = [
            .value(.data(Data(#"{"a": 1}"#.utf8)), stored: true), .value(["a": 1], stored: true),
            .value(["a": 1.0], stored: true),
        ]
        #expect(Difference(sides[0], sides[1], of: definition) == .same)
        #expect(Difference(sides[0], sides[2], of: definition) == .changed)
        let pair = ShownValue.pair(.data(Data(#"{"a": 1}"#.utf8)), ["a": 1])
        #expect(pair.before.plain == "{ \"a\": 1 } (stored as data)")
        #expect(pair.after.plain == "{ \"a\": 1 } (stored as dictionary)")
    }

    @Test("A whole real has its point and an integer none, alone and inside of others, in API and exports")
    func numbers() async throws {
        let fixture = try fixture(
            """
            <key>ratio</key><real>1</real><key>list</key><array><real>1</real><integer>1</integer><real>0.5</real>
            <real>1e30</real><integer>18446744073709551615</integer></array>
            """)
        let list = try await fixture.get("/api/v1/flags/list").body
        #expect(list.contains("\"value\":[1.0,1,0.5,1e+30,18446744073709551615]"), "\(list)")
        #expect(try await fixture.get("/api/v1/flags/ratio").body.contains("\"value\":1.0"))
        let export = try await fixture.get("/export/flags.json").body
        let told = export.filter { !$0.isWhitespace }
        #expect(told == #"{"list":[1.0,1,0.5,1e+30,18446744073709551615],"ratio":1.0}"#)
        #expect(try await put(fixture, "/api/v1/flags/list", #"{"value": [1.0, 2]}"#).body.contains("[1.0,2]"))
    }

    /// A document with a member of every sort, its text with all that a string has to escape.
    private struct SampleDocument: JSONDocument, Encodable {
        var text = "\"/ä\\\n\r\t\u{1}\u{1F}\u{1F600}"
        var nothing: String?
        var number = 15
        var list: [[Int?]] = [[1, nil], []]
        var entries = ["b": Int64.max, "a": 0]
        var isSet = true

        static let members: JSONMembers<Self> = [
            "text": .of(\.text), "nothing": .of(\.nothing), "number": .of(\.number), "list": .of(\.list),
            "entries": .of(\.entries), "isSet": .of(\.isSet),
        ]
    }

    @Test("A document is encoded as Foundation does it, but for the point of a whole real")
    func encoder() throws {
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let expected = String(decoding: try foundation.encode(SampleDocument()), as: UTF8.self)
        #expect(String(decoding: SampleDocument().json, as: UTF8.self) == expected)
        let value: FlagValue = ["a": [1, 0.5, 1.0, "x"], "b": .bool(true)]
        let plain = ["v": PlainValue(value, of: .dictionary), "n": PlainValue(.double(2), of: .double)]
        #expect(String(decoding: plain.json, as: UTF8.self) == #"{"n":2.0,"v":{"a":[1,0.5,1.0,"x"],"b":true}}"#)
    }

    @Test("The form of a definition names the layout, keeps it, and refuses one that the type has not")
    func definitionForm() async throws {
        let fixture = try fixture("", "<key>storage</key><string>data</string>")
        let page = try await fixture.get("/definitions/layout")
        #expect(page.body.contains(#"<option value="data" selected>data</option>"#))
        #expect(try await fixture.get("/api/v1/flags/layout").body.contains(#""storage":"data""#))
        let revision = try #require(page.field("revision"))
        let bad = try await fixture.post(
            "/definitions/layout", ["action": "save", "revision": revision, "type": "json", "storage": "string"])
        #expect(bad.status == 422 && bad.body.contains("json can only be stored as dictionary or data."))
        let kept = try await fixture.post(
            "/definitions/layout", ["action": "save", "revision": revision, "type": "json", "name": "Kept"])
        #expect(kept.status == 303)
        #expect(
            try String(contentsOf: fixture.manifest, encoding: .utf8).contains(
                "<key>storage</key><string>data</string>"))
        let next = try #require(try await fixture.get("/definitions/layout").field("revision"))
        let gone = try await fixture.post(
            "/definitions/layout", ["action": "save", "revision": next, "type": "json", "storage": ""])
        #expect(gone.status == 303)
        #expect(try !String(contentsOf: fixture.manifest, encoding: .utf8).contains("storage"))
    }
}
