import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Manifests")
struct FlagManifestTests {
    private func definitions(_ flags: String) throws -> [FlagDefinition] {
        try FlagManifest(source: manifestSource(flags: flags)).definitions
    }

    @Test("Every field of a flag is read")
    func everyField() throws {
        let flag = """
            <dict>
            <key>key</key><string>checkout/limit~1day</string>
            <key>type</key><string>integer</string>
            <key>default</key><integer>10</integer>
            <key>name</key><string>Limit per day</string>
            <key>description</key><string>How many.</string>
            <key>isLocked</key><true/>
            <key>isInternal</key><true/>
            <key>requiresRestart</key><true/>
            <key>order</key><integer>-2</integer>
            <key>icon</key><string>cart</string>
            <key>tags</key><array><string>shop</string><string>a b</string></array>
            <key>owner</key><string>The shop team</string>
            <key>expires</key><date>2026-12-31T00:00:00Z</date>
            <key>minimum</key><integer>1</integer>
            <key>maximum</key><real>99.5</real>
            <key>suggestions</key><array><integer>5</integer><string>20</string></array>
            <key>userInfo</key><dict><key>ticket</key><string>SHOP-12</string><key>on</key><array><true/></array></dict>
            <key>unknown</key><dict><key>kept</key><true/></dict>
            </dict>
            """
        let expected = FlagDefinition(
            key: FlagKeyPath(components: ["checkout", "limit/day"]), type: .integer, defaultValue: .integer(10),
            suggestions: [.integer(5), .integer(20)], constraints: FlagConstraints(minimum: 1, maximum: 99.5),
            metadata: FlagMetadata(
                name: "Limit per day", description: "How many.", order: -2, isInternal: true, uiIcon: "cart",
                isLocked: true, requiresRestart: true, tags: ["shop", "a b"], owner: "The shop team",
                expires: Date(timeIntervalSince1970: 1_798_675_200),
                userInfo: ["ticket": "SHOP-12", "on": [true]]))
        #expect(try definitions(flag) == [expected])
    }

    @Test("A flag of a key and a type alone has no default, no constraints and a name made from its key")
    func leastFields() throws {
        let definition = try #require(
            try definitions(
                "<dict><key>key</key><string>ui/blue_text</string><key>type</key><string>bool</string></dict>"
            ).first)
        #expect(definition == FlagDefinition(key: try key("ui/blue_text"), type: .bool))
        #expect(definition.displayName == "Blue text")
    }

    @Test(
        "A default is read as the flag's type",
        arguments: [
            ("bool", "<string>yes</string>", .bool(true)), ("integer", "<string>7</string>", .integer(7)),
            ("double", "<integer>7</integer>", .double(7)),
            ("string", "<string/>", .string("")),
            ("date", "<string>1970-01-01</string>", .date(Date(timeIntervalSince1970: 0))),
            ("date", "<date>1970-01-01T00:00:00Z</date>", .date(Date(timeIntervalSince1970: 0))),
            ("data", "<data>AAEC</data>", .data(Data([0, 1, 2]))),
            ("url", "<string>https://example.com</string>", .string("https://example.com")),
            ("array", "<array><true/></array>", .array([.bool(true)])),
            ("dictionary", "<dict><key>a</key><real>1</real></dict>", .dictionary(["a": .double(1)])),
            ("json", "<array/>", .array([])),
        ] as [(String, String, FlagValue)])
    func defaults(type: String, element: String, value: FlagValue) throws {
        let flag =
            "<dict><key>key</key><string>a</string><key>type</key><string>\(type)</string><key>default</key>\(element)</dict>"
        #expect(try definitions(flag).map(\.defaultValue) == [value])
    }

    @Test("Choices and patterns are read")
    func constraints() throws {
        let flags = """
            <dict><key>key</key><string>a</string><key>type</key><string>choice</string><key>default</key><integer>2</integer>
            <key>choices</key><array><string>one</string><integer>2</integer><real>2.5</real></array></dict>
            <dict><key>key</key><string>b</string><key>type</key><string>string</string><key>pattern</key><string>[a-z]*</string></dict>
            """
        let definitions = try definitions(flags)
        #expect(definitions.map(\.constraints.choices) == [[.string("one"), .integer(2), .double(2.5)], []])
        #expect(definitions.map(\.constraints.pattern) == [nil, "[a-z]*"])
        #expect(definitions.map(\.defaultValue) == [.integer(2), nil])
    }

    @Test("An expiry may be text, as RealFlags stores dates")
    func expiryAsText() throws {
        let flag =
            "<dict><key>key</key><string>a</string><key>type</key><string>bool</string><key>expires</key><string>1970-01-02</string></dict>"
        #expect(try definitions(flag).map(\.metadata.expires) == [Date(timeIntervalSince1970: 86_400)])
    }

    @Test("Flags and groups keep the file's order, and a group may hold a group")
    func order() throws {
        let flags = ["z", "a/b/c", "a/d"].map {
            "<dict><key>key</key><string>\($0)</string><key>type</key><string>bool</string></dict>"
        }
        let groups = """
            <key>collections</key><array>
            <dict><key>key</key><string>a/b</string></dict>
            <dict><key>key</key><string>a</string><key>name</key><string>The A</string>
            <key>description</key><string>All of A.</string><key>order</key><integer>3</integer></dict>
            </array>
            """
        let manifest = try FlagManifest(source: manifestSource(flags: flags.joined(), more: groups))
        #expect(manifest.definitions.map(\.key.text) == ["z", "a/b/c", "a/d"])
        #expect(
            manifest.collections == [
                FlagCollectionDefinition(key: try key("a/b")),
                FlagCollectionDefinition(key: try key("a"), name: "The A", description: "All of A.", order: 3),
            ])
        #expect(manifest.collections.map(\.displayName) == ["B", "The A"])
    }

    @Test("A manifest without flags and groups is one")
    func empty() throws {
        let manifest = try FlagManifest(
            source: Data("<plist><dict><key>version</key><integer>1</integer></dict></plist>".utf8))
        #expect(manifest.definitions.isEmpty)
        #expect(manifest.collections.isEmpty)
        #expect(manifest.storedEntries.isEmpty)
    }

    @Test("The file's own entries are kept by key, with what is unknown")
    func storedEntries() throws {
        let flag =
            "<dict><key>key</key><string>a~1b/c</string><key>type</key><string>bool</string><key>x</key><real>1</real></dict>"
        let manifest = try FlagManifest(source: manifestSource(flags: flag))
        #expect(
            manifest.storedEntries == [
                FlagKeyPath(components: ["a/b", "c"]): .dictionary([
                    "key": .string("a~1b/c"), "type": .string("bool"), "x": .double(1),
                ])
            ])
    }

    @Test("A manifest without some flags keeps the others with what is unknown, and its bytes where none is left out")
    func omitting() throws {
        let flags = ["a", "b", "c"].map {
            "<dict><key>key</key><string>\($0)</string><key>type</key><string>integer</string><key>x</key><real>1</real>"
                + "<key>suggestions</key><array><integer>1</integer></array>"
                + "<key>userInfo</key><dict><key>of</key><string>\($0)</string></dict></dict>"
        }
        let manifest = try FlagManifest(source: manifestSource(flags: flags.joined(), more: "<key>kept</key><true/>"))
        #expect(try manifest.omitting([try key("d")]) == manifest.document.source)
        let rest = try FlagManifest(source: try manifest.omitting([try key("b"), try key("d")]))
        #expect(rest.definitions.map(\.key.text) == ["a", "c"])
        #expect(rest.definitions.map(\.metadata.userInfo) == [["of": "a"], ["of": "c"]])
        #expect(rest.definitions.map(\.suggestions) == [[1], [1]])
        #expect(rest.storedEntries == manifest.storedEntries.filter { $0.key.text != "b" })
        guard case .dictionary(let root) = rest.document.root else {
            Issue.record("the root is no dictionary")
            return
        }
        #expect(root["kept"] == .bool(true))
        #expect(root["version"] == .integer(1))
    }
}
