import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Page: Codable, Hashable, FlagProtocol {
    var title: String
    var columns: [Int]
}

private enum Level: Int, FlagProtocol { case low = 1, high = 9 }

/// What sections 1 and 7 of the list of seed systems say of RealFlags' values and its file, a test for each claim.
@Suite("RealFlags' values and its file")
struct RealFlagsValueRowsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.file("flags.xml") }

    /// What the file holds between the tags of its root.
    private func elements() throws -> String {
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.firstRange(of: "<dict>"))
        let end = try #require(text.ranges(of: "</dict>").last)
        return String(text[start.upperBound..<end.lowerBound])
    }

    private func provider(_ elements: String) throws -> LocalProvider {
        try Data("<plist version=\"1.0\"><dict>\(elements)</dict></plist>".utf8).write(to: file)
        return LocalProvider(localURL: file)
    }

    /// A flag of the type, and one of its optional, keep a value in a file; the optional keeps `nil` too.
    private func keeps<Value: FlagProtocol & Equatable>(_ value: Value, not other: Value) throws {
        let names = ["Writing", "Reading"]
        let flags = try names.map { name in
            let flag = Flag(key: "plain", default: other, description: "Of the type")
            let optional = Flag<Value?>(key: "optional", description: "Of its optional")
            let manager = FlagsManager(providers: [LocalProvider(localURL: file, name: name)])
            try manager.register(flag, in: ["\(Value.self)"])
            try manager.register(optional, in: ["\(Value.self)"])
            if name == "Writing" {
                try flag.set(value, in: name)
                try optional.set(value, in: name)
            }
            return (flag, optional)
        }
        #expect(flags[1].0.wrappedValue == value)
        #expect(flags[1].1.wrappedValue == value)
        try flags[1].1.set(.some(nil), in: "Reading")
        #expect(flags[1].1.wrappedValue == nil)
        #expect(flags[1].0.wrappedValue == value, "the file is as good as before")
    }

    @Test("Every documented type, and the optional of each, is kept by a file")
    func types() throws {
        try keeps(true, not: false)
        try keeps(Int.min, not: 0)
        try keeps(Int8.min, not: 0)
        try keeps(Int16.min, not: 0)
        try keeps(Int32.min, not: 0)
        try keeps(Int64.min, not: 0)
        try keeps(UInt.max, not: 0)
        try keeps(UInt8.max, not: 0)
        try keeps(UInt16.max, not: 0)
        try keeps(UInt32.max, not: 0)
        try keeps(UInt64.max, not: 0)
        try keeps(Float.greatestFiniteMagnitude, not: 0)
        try keeps(Double.leastNonzeroMagnitude, not: 0)
        try keeps("ä <&> \u{1F600}", not: "")
        try keeps(try #require(URL(string: "https://a.b/c?d=e&f#g")), not: URL(fileURLWithPath: "/"))
        try keeps(Date(timeIntervalSince1970: 1_700_000_000), not: .distantPast)
        try keeps(Data([0, 255]), not: Data())
        try keeps([[1], []], not: [])
        try keeps(["a": ["b": true]], not: [:])
        try keeps(Level.high, not: .low)
        try keeps(Page(title: "T", columns: [1, 2]), not: Page(title: "", columns: []))
        try keeps(JSONData(["a": ["b": [1, 2.5, "c"]]]), not: JSONData([:]))
    }

    @Test("JSON data is read by key path")
    func jsonKeyPath() {
        let json = JSONData(["layout": ["columns": [1, 5], "title": "T"], "on": true])
        #expect(json.valueForKey("layout.columns.1") == 5)
        #expect(json.valueForKey("layout.title") == "T")
        #expect(json.valueForKey("on") == true)
        #expect((json.valueForKey("layout.title") as Int?) == nil)
    }

    @Test(
        "Values are read as the flag's type from what stands for one",
        arguments: [
            ("<integer>2</integer>", FlagValue.bool(true)), ("<string>yes</string>", .bool(true)),
            ("<string>off</string>", .bool(false)), ("<string>-12</string>", .integer(-12)),
            ("<integer>3</integer>", .double(3)), ("<string>2.5</string>", .double(2.5)),
        ])
    func coercions(element: String, value: FlagValue) throws {
        let provider = try provider("<key>flag</key>\(element)")
        let key = try key("flag")
        switch value {
        case .bool(let value): #expect(provider.lastGoodValue(at: key) == value)
        case .integer(let value): #expect(provider.lastGoodValue(at: key) == Int(value))
        case .double(let value):
            #expect(provider.lastGoodValue(at: key) == value)
            #expect(provider.lastGoodValue(at: key) == Float(value))
        default: Issue.record("no such row")
        }
    }

    @Test("A date is read from an ISO 8601 text and from a <date>, a URL from text, data from data")
    func readsForms() throws {
        let provider = try provider(
            """
            <key>text</key><string>2023-11-14T22:13:20Z</string><key>date</key><date>2023-11-14T22:13:20Z</date>
            <key>url</key><string>https://a.b/</string><key>data</key><data>AP8=</data>
            """)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(provider.lastGoodValue(at: try key("text")) == date)
        #expect(provider.lastGoodValue(at: try key("date")) == date)
        #expect(provider.lastGoodValue(at: try key("url")) == URL(string: "https://a.b/"))
        #expect(provider.lastGoodValue(at: try key("data")) == Data([0, 255]))
    }

    @Test("Each type has its element: tab-indented, keys sorted, nested by the components of the key path")
    func writesForms() throws {
        let provider = LocalProvider(localURL: file)
        try provider.setValue("t", forFlag: FlagKeyPath(components: ["string"]))
        try provider.setValue(true, forFlag: FlagKeyPath(components: ["bool"]))
        try provider.setValue(UInt8(5), forFlag: FlagKeyPath(components: ["group", "a/b", "integer"]))
        try provider.setValue(Float(0.5), forFlag: FlagKeyPath(components: ["real"]))
        try provider.setValue(Date(timeIntervalSince1970: 0), forFlag: FlagKeyPath(components: ["date"]))
        try provider.setValue(Data([1]), forFlag: FlagKeyPath(components: ["data"]))
        try provider.setValue(Level.high, forFlag: FlagKeyPath(components: ["enum"]))
        try provider.setValue([1], forFlag: FlagKeyPath(components: ["array"]))
        try provider.setValue(URL(string: "https://a.b/"), forFlag: FlagKeyPath(components: ["url"]))
        try provider.setValue(JSONData(["x": 1]), forFlag: FlagKeyPath(components: ["json"]))
        let expected = """

            <key>array</key>
            <array>
            _<integer>1</integer>
            </array>
            <key>bool</key>
            <true/>
            <key>data</key>
            <data>AQ==</data>
            <key>date</key>
            <string>1970-01-01T00:00:00Z</string>
            <key>enum</key>
            <integer>9</integer>
            <key>group</key>
            <dict>
            _<key>a/b</key>
            _<dict>
            __<key>integer</key>
            __<integer>5</integer>
            _</dict>
            </dict>
            <key>json</key>
            <dict>
            _<key>x</key>
            _<integer>1</integer>
            </dict>
            <key>real</key>
            <real>0.5</real>
            <key>string</key>
            <string>t</string>
            <key>url</key>
            <string>https://a.b/</string>
            """
        #expect(try elements() == expected.replacing("_", with: "\t").replacing("\n", with: "\n\t") + "\n")
    }

    @Test("A Codable value is data of JSON with sorted keys")
    func codableForm() throws {
        let provider = LocalProvider(localURL: file)
        try provider.setValue(Page(title: "a/b", columns: [1]), forFlag: key("page"))
        #expect(try provider.storedValue(at: key("page")) == .data(Data(#"{"columns":[1],"title":"a/b"}"#.utf8)))
    }

    @Test("A JSON value looks like a group, and the flag's type decides")
    func jsonOrGroup() throws {
        let provider = try provider("<key>ui</key><dict><key>blue</key><true/></dict>")
        #expect(provider.lastGoodValue(at: try key("ui/blue")) == true)
        let json: JSONData? = provider.lastGoodValue(at: try key("ui"))
        #expect(json?.valueForKey("blue") == true)
    }

    @Test("nil removes the key, and a reset of all leaves an empty dictionary, with Apple's DOCTYPE and a last newline")
    func removes() throws {
        let provider = LocalProvider(localURL: file)
        try provider.setValue(1, forFlag: key("a"))
        try provider.setValue(2, forFlag: key("b"))
        try provider.setValue(Int?.none, forFlag: key("a"))
        #expect(try elements() == "\n\t<key>b</key>\n\t<integer>2</integer>\n")
        try provider.resetAllData()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.contains(
                "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
                    + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"))
        #expect(try PropertyListDocument(source: Data(text.utf8)).root == [:])
        #expect(text.hasSuffix("</plist>\n"))
    }

    @Test("Foundation reads the file as the same dictionary")
    func foundationReads() throws {
        let provider = LocalProvider(localURL: file)
        try provider.setValue(true, forFlag: key("ui/blue_text"))
        let object = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
        let root = try #require(object as? [String: Any])
        #expect((root["ui"] as? [String: Any])?["blue_text"] as? Bool == true)
    }
}
