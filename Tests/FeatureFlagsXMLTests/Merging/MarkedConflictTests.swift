import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("Conflicts that a merge left in a file")
struct MarkedConflictTests {
    private static let before = """
        <plist version="1.0">
        <dict>
        \t<key>a &amp; b</key> <string>before</string> <!-- a remark -->
        \t<key>zone</key>
        \t<string>Oslo</string>
        </dict>
        </plist>

        """

    /// Two versions of one flag, as elements; `nil` for none.
    private static let versions: [(ours: String?, theirs: String?)] = [
        ("<integer>-17</integer>", "<real>1.5</real>"), ("<true/>", nil), (nil, "<date>2026-02-03T04:05:06Z</date>"),
        ("<string>x</string>", "<string>one -- two --- three</string>"),
        ("<string>=======\n||||||| base</string>", "<string>&gt;&gt;&gt;&gt;&gt;&gt;&gt; theirs\n=======\n</string>"),
        ("<array><string>no value</string></array>", "<string>no value</string>"),
        ("<data>AAEC</data>", "<dict><key>deep</key><dict><key>x</key><false/></dict></dict>"),
    ]

    private func merge(_ version: (ours: String?, theirs: String?), lineEnd: String) throws -> PropertyListMerge {
        func text(_ element: String?) -> String {
            let entry = "\t<key>a &amp; b</key> <string>before</string> <!-- a remark -->\n"
            return
                (element.map { Self.before.replacing("<string>before</string>", with: $0) }
                ?? Self.before.replacing(entry, with: "")).replacing("\n", with: lineEnd)
        }
        return try PropertyListMerge(
            base: document(text: Self.before.replacing("\n", with: lineEnd)), ours: document(text: text(version.ours)),
            theirs: document(text: text(version.theirs)), dictionaryKeys: [key("a & b")])
    }

    @Test(
        "A conflict is read back as the merge met it, and without its comment the file has the bytes of before",
        arguments: versions.indices, ["\n", "\r\n"])
    func readBack(version: Int, lineEnd: String) throws {
        let merge = try merge(Self.versions[version], lineEnd: lineEnd)
        for size in [1, 7, 20] {
            let marked = try PropertyListDocument(source: merge.marked(size: size).source)
            let conflict = try #require(marked.conflicts.first)
            #expect(marked.conflicts.count == 1 && conflict.place == merge.conflicts[0].place)
            #expect(conflict.sides?.ours == merge.conflicts[0].ours)
            #expect(conflict.sides?.theirs == merge.conflicts[0].theirs)
            #expect(try marked.settling([conflict.place]).source == merge.document.source)
        }
    }

    @Test("A comment of thousands of marker lines is one that was edited, and costs no time")
    func manyMarkers() throws {
        let lines =
            ["<!-- conflict: a", "< ours, which the file holds"] + Array(repeating: "| base", count: 20_000)
            + Array(repeating: "=", count: 20_000) + ["> theirs", "-->"]
        let document = try document(text: "<plist><dict>\(lines.joined(separator: "\n"))</dict></plist>")
        #expect(document.conflicts.map(\.sides) == [nil])
    }

    @Test("A conflict of a manifest is one of a field, of a definition or of a group, whatever spaces a key has")
    func manifest() throws {
        func manifest(_ owner: String, _ name: String) throws -> PropertyListDocument {
            let flag = "<dict><key>key</key><string>a b</string><key>type</key><string>bool</string>"
            let flags = "\(flag)<key>owner</key><string>\(owner)</string></dict>"
            let group = "<dict><key>key</key><string>a</string><key>name</key><string>\(name)</string></dict>"
            return try PropertyListDocument(
                source: manifestSource(flags: flags, more: "<key>collections</key><array>\(group)</array>"))
        }
        let merge = try PropertyListMerge(
            base: manifest("Ada", "A"), ours: manifest("Bob", "B"), theirs: manifest("Eve", "C"))
        let marked = try PropertyListDocument(source: merge.marked().source)
        #expect(Set(marked.conflicts.map(\.place)) == Set(merge.conflicts.map(\.place)))
        #expect(marked.conflicts.first { $0.place.field == "owner" }?.sides?.theirs == .string("Eve"))
        #expect(try marked.settling(Set(marked.conflicts.map(\.place))).source == merge.document.source)
    }

    @Test("A comment that was edited is a conflict still, of which the other version is not known any more")
    func edited() throws {
        let marked = text(try merge(("<integer>1</integer>", "<integer>2</integer>"), lineEnd: "\n").marked())
        for (old, new) in [("=======\n", ""), (">>>>>>> theirs\n", ""), ("<integer>2</integer>", "2?")] {
            let conflicts = try document(text: marked.replacing(old, with: new)).conflicts
            #expect(conflicts.map(\.place.text) == ["a & b"] && conflicts.map(\.sides) == [nil], "\(old)")
        }
    }

    @Test(
        "A comment that a person wrote is no conflict, nor is what only looks like a comment",
        arguments: [
            "<!-- conflict: zone -->", "<!-- conflict: zone\nAda and Bob disagree\n-->",
            "<!--conflict: zone\n<<<<<<< ours, which the file holds\n-->",
        ])
    func others(comment: String) throws {
        #expect(try document(text: Self.before.replacing("<!-- a remark -->", with: comment)).conflicts == [])
        let inText = "<string><![CDATA[<!-- conflict: zone\n<<<<<<< ours, which the file holds\n-->]]></string>"
        #expect(try document(text: Self.before.replacing("<string>Oslo</string>", with: inText)).conflicts == [])
    }

    @Test("An edit of a value leaves the conflict of another, and one that follows is still found")
    func afterEdits() throws {
        let marked = try merge(("<integer>1</integer>", "<integer>2</integer>"), lineEnd: "\n").marked()
        let edited = try marked.setting("Bergen", at: key("zone"))
        #expect(edited.conflicts.map(\.place.text) == ["a & b"])
        #expect(text(try edited.settling([FlagPlace(value: key("a & b"))])).contains("<!-- a remark -->\n\t<key>zone"))
        #expect(try edited.settling([FlagPlace(value: key("zone"))]).source == edited.source)
    }
}
