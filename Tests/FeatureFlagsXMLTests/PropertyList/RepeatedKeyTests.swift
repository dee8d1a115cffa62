import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("A key that a dictionary has more than once")
struct RepeatedKeyTests {
    private static let list = """
        <plist><dict>
        \t<key>beta</key>
        \t<true/>
        \t<!-- a comment -->
        \t<key>limit</key>
        \t<integer>3</integer>
        \t<key>beta</key>
        \t<false/>
        \t<key>shop</key>
        \t<dict><key>fee</key><real>1</real></dict>
        \t<key>shop</key>
        \t<dict><key>fee</key><real>2</real></dict>
        </dict></plist>
        """

    @Test("Its value alone is broken, with all its values; the others are read and set")
    func breaksOneFlag() throws {
        let list = try document(Self.list)
        let broken = BrokenFlagValue(kind: .repeatedKey(.bool), text: "boolean true, boolean false")
        #expect(try list.value(at: key("beta")) == .broken(broken))
        #expect(broken.problem.contains("more than once (boolean true, boolean false)"))
        #expect(try list.value(at: key("limit")) == 3)
        let edited = try list.setting(.integer(40), at: key("limit"))
        #expect(text(edited) == Self.list.replacing("<integer>3<", with: "<integer>40<"))
        #expect(try edited.value(at: key("beta")) == .broken(broken))
    }

    @Test("A flag in a group of a repeated key is broken, not absent, and isn't set")
    func breaksGroup() throws {
        let list = try document(Self.list)
        let problem = try #require(throws: FlagValueError.self) { try list.value(at: try key("shop/fee")) }
        #expect(problem.description.contains("\"shop\" is a repeated key (line 10)"), "\(problem)")
        let error = try #require(throws: PropertyListEditError.self) {
            try list.setting(.double(3), at: try key("shop/fee"))
        }
        #expect(error.isBlocked && text(list) == Self.list)
    }

    @Test("Setting it leaves one entry, the first, with the new value", arguments: [true, false])
    func setting(value: Bool) throws {
        let edited = try document(Self.list).setting(.bool(value), at: key("beta"))
        #expect(
            text(edited)
                == Self.list.replacing("\t<key>beta</key>\n\t<false/>\n", with: "")
                .replacing("<true/>", with: "<\(value)/>"))
        let again = try edited.setting(.bool(!value), at: key("beta"))
        #expect(try again.value(at: key("beta")) == .bool(!value))
    }

    @Test("Setting an array that is there twice keeps the bytes of elements that stay")
    func settingArray() throws {
        let list = try document(
            "<plist><dict><key>a</key><array><integer>0x1</integer><true/></array><key>a</key><true/></dict></plist>")
        let edited = try list.setting(.array([1, false]), at: key("a"))
        #expect(
            text(edited) == "<plist><dict><key>a</key><array><integer>0x1</integer><false/></array></dict></plist>")
    }

    @Test("A dictionary or an array that has such a key in it is set as a whole")
    func settingAround() throws {
        let twice = "<dict><key>x</key><true/><key>x</key><false/><key>y</key><true/></dict>"
        let list = try document("<plist><dict><key>d</key>\(twice)<key>l</key><array>\(twice)</array></dict></plist>")
        let edited = try list.setting(.dictionary(["x": 5, "y": true]), at: key("d")).setting(.array([1]), at: key("l"))
        #expect(edited.root == ["d": ["x": 5, "y": true], "l": [1]] && edited.duplicateKeys.isEmpty)
        #expect(try list.setting(.dictionary(["y": true]), at: key("d")).value(at: key("d")) == ["y": true])
    }

    @Test("Removing, renaming and leaving it out go for every entry, also from within arrays")
    func removing() throws {
        let list = try document(Self.list)
        #expect(try list.removing(key("beta")).removing(key("shop")).root == ["limit": 3])
        let renamed = try #require(try list.renaming(key("beta"), to: "gamma"))
        #expect(text(renamed) == Self.list.replacing("<key>beta</key>", with: "<key>gamma</key>"))
        #expect(try list.renaming(key("limit"), to: "beta") == nil)
        let inside = try document(
            "<plist><array><dict><key>a</key><true/><key>a</key><true/><key>b</key><true/></dict></array></plist>")
        #expect(inside.duplicateKeys.count == 1)
        let edited = try inside.setting([(path: [.index(0)], fields: ["a": false])], for: nil)
        #expect(text(edited) == "<plist><array><dict><key>a</key><false/><key>b</key><true/></dict></array></plist>")
    }

    @Test("Nothing of a repeated group is handed out if a flag in it is left out", arguments: ["shop/fee", "shop/new"])
    func omitting(hidden: String) throws {
        let handed = try document(Self.list).omitting([try key(hidden)])
        #expect(!text(handed).contains("shop") && text(handed).contains("<key>limit</key>"))
        #expect(try text(document(Self.list).omitting([key("beta")])).contains("beta") == false)
    }

    @Test(
        "Without a definition, its type is that of its values if they have one, also after it was recorded",
        arguments: [
            ("<integer>1</integer>", "<integer>2</integer>", FlagType.integer),
            ("<real>1</real>", "<real>1</real>", .double), ("<dict/>", "<dict/>", .dictionary),
            ("<integer>1</integer>", "<real>2</real>", .string),
        ])
    func type(first: String, second: String, type: FlagType) throws {
        let list = try document("<plist><dict><key>a</key>\(first)<key>a</key>\(second)</dict></plist>")
        let value = try #require(try list.value(at: key("a")))
        #expect(FlagType(inferredFrom: value) == type)
        let read = try JSONDecoder().decode(FlagValue.self, from: try JSONEncoder().encode(value))
        #expect(read == value && FlagType(inferredFrom: read) == type)
    }

    @Test("The value is written to no file")
    func writing() throws {
        let list = try document(Self.list)
        let error = try #require(throws: PropertyListEditError.self) {
            try list.setting(.broken(BrokenFlagValue(kind: .repeatedKey(nil), text: "1, 2")), at: key("limit"))
        }
        #expect(error.isNotStorable)
        #expect(throws: PropertyListError.self) { try PropertyListDocument(root: list.root) }
    }

    @Test(
        "Each further entry is a fault with its place, however the key is spelled",
        arguments: [
            ("a</key><true/>\n<key>a", "a", 2, "this <dict> already has it on line 1"),
            ("a</key><true/>\n<key>&#97;", "a", 2, "on line 1"),
            ("a</key><true/>\n<key><![CDATA[a]]>", "a", 2, "line 1"),
            ("ab</key><true/>\n<key>a<!-- x -->b", "ab", 2, "line 1"), ("</key><true/>\n<key>", "", 2, "line 1"),
            (
                "é</key><true/>\n<key>e\u{301}", "é", 2,
                "line 1 has the same key in another Unicode form (U+00E9 in one of them and U+0065 U+0301 in the other)"
            ),
        ])
    func places(between: String, name: String, line: Int, reason: String) throws {
        let list = try document("<plist><dict><key>\(between)</key><false/></dict></plist>")
        let fault = try #require(list.duplicateKeys.first)
        #expect(list.duplicateKeys.count == 1)
        #expect(fault.location == SourceLocation(line: line, column: 1))
        #expect(fault.reason.contains(reason), "\(fault)")
        #expect(fault.outline == "this <dict> already has the same key on line 1; remove one of the two")
        guard case .broken(let value) = try list.value(at: key(FlagKeyPath(components: [name]).text)) else {
            Issue.record("\(list.root) is not broken")
            return
        }
        #expect(value.text.hasPrefix("boolean true, boolean false"))
        #expect(value.text.contains("two Unicode forms: U+00E9") == (name == "é"))
        #expect(list.brokenValues.count == 1)
    }

    @Test("A thousand entries of one key are read, and five of their values are named")
    func many() throws {
        let entries = (0..<1000).map { "<key>a</key><integer>\($0)</integer><key>k\($0)</key><true/>" }.joined()
        let list = try document("<plist><dict>\(entries)</dict></plist>")
        let values = "integer 0, integer 1, integer 2, integer 3, integer 4, 995 more"
        #expect(try list.value(at: key("a")) == .broken(BrokenFlagValue(kind: .repeatedKey(.integer), text: values)))
        #expect(list.duplicateKeys.count == 100)
        #expect(try list.setting(.integer(7), at: key("a")).duplicateKeys.isEmpty)
    }

    @Test("A definition with a field twice is invalid, with the field's name")
    func manifest() throws {
        let source = """
            <plist><dict><key>version</key><integer>1</integer><key>flags</key><array><dict><key>key</key><string>a</string>
            <key>type</key><string>bool</string><key>type</key><string>string</string></dict></array></dict></plist>
            """
        let error = try #require(throws: FlagManifestError.self) { try FlagManifest(source: Data(source.utf8)) }
        #expect(error.description.contains("type: found a repeated key"), "\(error)")
    }

    private func document(_ source: String) throws -> PropertyListDocument {
        try PropertyListDocument(source: Data(source.utf8))
    }

    private func text(_ list: PropertyListDocument) -> String { String(decoding: list.source, as: UTF8.self) }
}
