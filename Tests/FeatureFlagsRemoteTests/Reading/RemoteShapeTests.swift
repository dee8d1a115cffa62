import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsRemote

@Suite("What answers say, by their shape")
struct RemoteShapeTests {
    private func content(_ shape: RemoteShape, _ text: String) throws(FlagValueError) -> RemoteContent {
        try shape.content(of: Data(text.utf8), maximumSize: 1 << 20)
    }

    @Test func `JSON is nested by key path, at the top or below keys`() throws {
        let text = #"{"config": {"delivery": {"fee": 3.5, "zones": ["n", "s"]}, "none": null}}"#
        #expect(
            try content(.json(at: ["config"]), text).entries
                == ["delivery": ["fee": 3.5, "zones": ["n", "s"]]])
        #expect(try content(.json, text).entries["config"] == ["delivery": ["fee": 3.5, "zones": ["n", "s"]]])
        for wrong in ["[]", "7", "{}", #"{"config": 7}"#, #"{"config": null}"#, ""] {
            #expect(throws: FlagValueError.self) { _ = try content(.json(at: ["config"]), wrong) }
        }
    }

    @Test(arguments: [
        #"[{"featureName": "a", "isActive": 1}, {"featureName": "b", "isActive": 0}, {"featureName": "c", "isActive": true}]"#,
        #"{"records": [{"featureName": "a", "isActive": 1}, {"featureName": "b", "isActive": false}, {"featureName": "c", "isActive": 2}]}"#,
        """
        {"records": [
            {"recordName": "1", "recordType": "FeatureStatus", "fields": {"featureName": {"value": "a", "type": "STRING"},
             "isActive": {"value": 1, "type": "INT64"}}, "deleted": false},
            {"fields": {"featureName": {"value": "b"}, "isActive": {"value": 0}}},
            {"fields": {"featureName": {"value": "c"}, "isActive": {"value": 1}}},
            {"recordName": "2", "deleted": true}]}
        """,
    ])
    func `records of CloudKit FeatureToggles are Booleans`(_ text: String) throws {
        let content = try content(.records, text)
        #expect(content.entries == ["a": true, "b": false, "c": true])
        #expect(content.failures.isEmpty && content.remark == nil)
    }

    @Test func `a record that can't be read breaks no other, and is told`() throws {
        let content = try content(
            .records,
            """
            [{"featureName": "a", "isActive": 1}, {"featureName": "b", "isActive": "yes"}, {"featureName": "c"},
             {"isActive": 1}, {"featureName": 7, "isActive": 1}, 7, {"featureName": "d", "isActive": 1},
             {"featureName": "d", "isActive": 0}, {"featureName": "e", "isActive": 1.5}]
            """)
        #expect(content.entries == ["a": true])
        #expect(content.failures.keys.map(\.text).sorted() == ["b", "c", "d", "e"])
        #expect(content.failures[keyPath("b")]?.description.contains("\"yes\"") == true)
        #expect(content.remark?.hasPrefix("3 of 9 records") == true)
    }

    @Test(arguments: ["{}", "7", #"{"records": 7}"#, #"{"records": [], "continuationMarker": "x"}"#])
    func `what is no list of records, or a part of one, is refused`(_ text: String) {
        #expect(throws: FlagValueError.self) { _ = try content(.records, text) }
    }

    @Test func `a property list is nested by key path`() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>someFeatureEnabled</key><true/><key>delivery</key><dict><key>fee</key><real>3.5</real>
            </dict><key>logo</key><data>AQI=</data></dict></plist>
            """
        #expect(
            try content(.propertyList, list).entries
                == ["someFeatureEnabled": true, "delivery": ["fee": 3.5], "logo": .data(Data([1, 2]))])
        for wrong in ["", "{}", "<plist version=\"1.0\"><array/></plist>", "<plist version=\"1.0\"><dict><key>a</key>"]
        {
            #expect(throws: FlagValueError.self) { _ = try content(.propertyList, wrong) }
        }
    }

    @Test func `evaluations become values by key path, and one that failed is broken by itself`() throws {
        let content = try content(
            .ofrep,
            """
            {"flags": [{"key": "delivery/fee", "value": 3.5, "reason": "STATIC", "variant": "Local"}, {"key": "on", "value": true},
             {"key": "a~1b", "value": "x"}, {"key": "none", "reason": "DISABLED"}, {"key": "null", "value": null},
             {"key": "list", "value": {"items": [1, 2]}, "metadata": {"type": "array"}},
             {"key": "object", "value": {"items": [1, 2]}, "metadata": {"type": "dictionary"}},
             {"key": "logo", "value": "AQI=", "metadata": {"type": "data"}},
             {"key": "bad", "errorCode": "TARGETING_KEY_MISSING", "errorDetails": "say who asks"},
             {"key": "on/off", "value": true}, {"value": 7}],
             "eventStreams": [{"type": "other"}, {"type": "sse", "endpoint": {"requestUri": "/ofrep/v1/events"}}]}
            """)
        #expect(
            content.entries == [
                "delivery": ["fee": 3.5], "on": true, "a/b": "x", "list": [1, 2], "object": ["items": [1, 2]],
                "logo": .data(Data([1, 2])),
            ])
        #expect(
            content.failures[keyPath("bad")]?.description
                == "the server can't evaluate it: TARGETING_KEY_MISSING, say who asks")
        #expect(content.failures.keys.map(\.text).sorted() == ["bad", "on/off"])
        #expect(content.remark?.hasPrefix("1 of 11 evaluations") == true)
        #expect(content.eventStream == "/ofrep/v1/events")
    }

    @Test func `keys of evaluations are split as the server joins them`() throws {
        let text = #"{"flags": [{"key": "delivery.fee", "value": 1}, {"key": "a/b", "value": 2}]}"#
        #expect(
            try content(.ofrep(context: [:], separator: "."), text).entries == ["delivery": ["fee": 1], "a/b": 2])
        #expect(try content(.ofrep, text).entries == ["delivery.fee": 1, "a": ["b": 2]])
        let deep = #"{"flags": [{"key": "\#(String(repeating: "/", count: 100_000))", "value": 1}]}"#
        #expect(try content(.ofrep, deep).entries.count == 1)
    }

    @Test(arguments: [
        (#"{"eventStreams": [{"type": "sse", "url": "https://a/e"}], "flags": []}"#, "https://a/e"),
        (
            #"{"eventStreams": [{"type": "sse", "endpoint": {"origin": "https://a", "requestUri": "/e"}}], "flags": []}"#,
            "https://a/e"
        ),
        (#"{"eventStreams": 7, "flags": []}"#, nil), (#"{"flags": []}"#, nil),
    ])
    func `the stream of events is taken from the answer`(_ text: String, _ address: String?) throws {
        #expect(try content(.ofrep, text).eventStream == address)
    }

    @Test func `evaluations are asked for by POST, below the address or at it`() throws {
        for address in ["https://a", "https://a/", "https://a/ofrep/v1/evaluate/flags"] {
            let request = try RemoteShape.ofrep(context: ["targetingKey": "shop-7"]).request(at: RemoteAddress(address))
            #expect(request.address.url.absoluteString == "https://a/ofrep/v1/evaluate/flags")
            #expect(request.content == Data(#"{"context":{"targetingKey":"shop-7"}}"#.utf8))
        }
    }

    @Test func `nesting without end is refused at once`() {
        let deep = String(repeating: "[", count: 10_000_000)
        #expect(throws: FlagValueError.self) { _ = try content(.json, #"{"a": "# + deep) }
        #expect(throws: FlagValueError.self) { _ = try content(.ofrep, deep) }
        #expect(throws: FlagValueError.self) { _ = try content(.records, deep) }
    }
}
