import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("Merging values files")
struct MergeTests {
    private let base = """
        <plist version="1.0">
        <dict>
        \t<key>checkout</key>
        \t<dict>
        \t\t<key>fee</key> <real>2.50</real> <!-- euros -->
        \t\t<key>newFlow</key> <false/>
        \t</dict>
        \t<key>limit</key> <integer>0x0A</integer>
        </dict>
        </plist>

        """

    private func merge(
        _ ours: (String) -> String, _ theirs: (String) -> String, dictionaryKeys: Set<FlagKeyPath> = []
    ) throws -> PropertyListMerge {
        try PropertyListMerge(
            base: document(text: base), ours: document(text: ours(base)), theirs: document(text: theirs(base)),
            dictionaryKeys: dictionaryKeys)
    }

    @Test(
        "Changes of different flags, on neighbouring lines too, come together, and no other byte changes",
        arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
    func apart(lineEnd: String, mark: String) throws {
        func text(_ fee: String, _ flow: String, _ limit: String) -> String {
            mark
                + base.replacing("2.50", with: fee).replacing("false", with: flow).replacing("0x0A", with: limit)
                .replacing("\n", with: lineEnd)
        }
        let merge = try PropertyListMerge(
            base: document(text: text("2.50", "false", "0x0A")), ours: document(text: text("3.10", "false", "0x0A")),
            theirs: document(text: text("2.50", "true", "0x0B")))
        #expect(merge.conflicts == [])
        #expect(FeatureFlagsXMLTests.text(merge.document) == text("3.10", "true", "11"))
    }

    @Test("The same change on both sides is no conflict, however it is spelt, and ours stays as it is")
    func same() throws {
        let merge = try merge({ $0.replacing("0x0A", with: "0x0B") }, { $0.replacing("0x0A", with: "11") })
        #expect(merge.conflicts == [])
        #expect(text(merge.document) == base.replacing("0x0A", with: "0x0B"))
    }

    @Test("A flag that both sides change each in another way is a conflict, keeps ours, and a comment shows all three")
    func conflict() throws {
        let merge = try merge(
            { $0.replacing("<integer>0x0A</integer>", with: "<integer>7</integer>") },
            { $0.replacing("<integer>0x0A</integer>", with: "<string>a--b---</string>").replacing("2.50", with: "3") })
        let place = FlagPlace(value: try key("limit"))
        #expect(
            merge.conflicts == [
                MergeConflict(place: place, base: .integer(10), ours: .integer(7), theirs: .string("a--b---"))
            ])
        let expected = base.replacing("<real>2.50</real>", with: "<real>3.0</real>").replacing(
            "<integer>0x0A</integer>",
            with: """
                <integer>7</integer>
                <!-- conflict: limit
                <<<<<<< ours, which the file holds
                <integer>7</integer>
                ||||||| base
                <integer>10</integer>
                =======
                <string>a-&#45;b-&#45;&#45;</string>
                >>>>>>> theirs
                -->
                """)
        #expect(text(try merge.marked()) == expected)
        #expect(text(try merge.marked(size: 3)).contains("\n<<< ours, which the file holds\n"))
    }

    @Test("A flag that one side removes and the other changes is a conflict, whichever side does which")
    func removed() throws {
        let entry = "\t\t<key>newFlow</key> <false/>\n"
        let kept = try merge({ $0.replacing("false", with: "true") }, { $0.replacing(entry, with: "") })
        #expect(kept.conflicts.map(\.theirs) == [nil])
        #expect(text(kept.document) == base.replacing("false", with: "true"))
        #expect(text(try kept.marked()).contains("=======\nno value\n>>>>>>> theirs"))
        let gone = try merge({ $0.replacing(entry, with: "") }, { $0.replacing("false", with: "true") })
        #expect(gone.conflicts.map(\.ours) == [nil])
        #expect(text(gone.document) == base.replacing(entry, with: ""))
        let marked = try gone.marked()
        #expect(marked.root == gone.document.root)
        #expect(text(marked).contains("<!-- euros -->\n<!-- conflict: checkout/newFlow\n"))
    }

    @Test("A group that one side removes goes with what the other left alone in it, and what that added stays")
    func groups() throws {
        let group = base.components(separatedBy: "\t<key>checkout</key>\n")[1].components(separatedBy: "\t<key>limit")[
            0]
        func without(_ text: String) -> String { text.replacing("\t<key>checkout</key>\n\(group)", with: "") }
        let theirs = try merge({ $0.replacing("0x0A", with: "11") }, without)
        #expect(text(theirs.document) == without(base).replacing("0x0A", with: "11"))
        let added = try merge(
            without, { $0.replacing("<key>newFlow", with: "<key>more</key> <true/>\n\t\t<key>newFlow") })
        #expect(added.conflicts == [])
        #expect(
            added.document.root == .dictionary(["limit": .integer(10), "checkout": .dictionary(["more": .bool(true)])]))
        let changed = try merge({ $0.replacing("false", with: "true") }, without)
        #expect(changed.conflicts.map(\.place.text) == ["checkout/newFlow"])
        #expect(try changed.document.value(at: key("checkout/fee")) == nil)
    }

    @Test("A group on one side and a value on the other, both new, are a conflict")
    func shapes() throws {
        let end = "</dict>\n</plist>"
        let merge = try merge(
            { $0.replacing(end, with: "<key>z</key><dict><key>a</key><true/></dict>\(end)") },
            { $0.replacing(end, with: "<key>z</key><true/>\(end)") })
        #expect(merge.conflicts.map(\.place.text) == ["z"])
        #expect(try merge.document.value(at: key("z/a")) == .bool(true))
    }

    @Test("Both sides may change entries of a dictionary, unless it is known to be one value")
    func dictionaries() throws {
        func first(_ text: String) -> String { text.replacing("2.50", with: "3.5") }
        func second(_ text: String) -> String { text.replacing("false", with: "true") }
        #expect(try merge(first, second).conflicts == [])
        let whole = try merge(first, second, dictionaryKeys: [key("checkout")])
        #expect(whole.conflicts.map(\.place.text) == ["checkout"])
        #expect(text(whole.document) == first(base))
        let theirs = try merge(\.self, second, dictionaryKeys: [key("checkout")])
        #expect(text(theirs.document) == second(base))
    }

    @Test(
        "What the common ancestors disagree on is a conflict, and a comment that all three have from before says nothing"
    )
    func ancestors() throws {
        let ours = try document(text: base.replacing("0x0A", with: "6"))
        let theirs = try document(text: base.replacing("0x0A", with: "7"))
        let marked = try PropertyListMerge(base: document(text: base), ours: ours, theirs: theirs).marked()
        #expect(try marked.value(at: key("limit")) == .integer(6))
        let merge = try PropertyListMerge(
            base: marked, ours: ours, theirs: theirs.setting(true, at: key("checkout/newFlow")))
        #expect(merge.conflicts.map(\.place.text) == ["limit"])
        #expect(try merge.document.value(at: key("checkout/newFlow")) == .bool(true))
        let (value, dictionary) = try (ours.setting(1, at: key("checkout")), theirs.setting(8, at: key("checkout/fee")))
        let inner = try PropertyListMerge(
            base: document(text: base), ours: ours.setting(7, at: key("checkout/fee")), theirs: dictionary
        ).marked()
        let outer = try PropertyListMerge(base: inner, ours: value, theirs: dictionary)
        #expect(outer.conflicts.map(\.place.text) == ["checkout", "limit"])
        #expect(outer.conflicts.map(\.base) == [nil, nil])
        #expect(try outer.marked().root == outer.document.root)
        let settled = try marked.setting(9, at: key("limit"))
        #expect(try PropertyListMerge(base: marked, ours: marked, theirs: settled).conflicts == [])
    }

    @Test("Of conflicts where nothing can hold a comment, the comment stands behind what can")
    func closed() throws {
        let merge = try PropertyListMerge(
            base: document("<dict><key>a</key><true/></dict>"), ours: document("<dict/>"),
            theirs: document("<dict><key>a</key><false/></dict>"))
        let marked = try merge.marked()
        #expect(text(marked).hasPrefix("<plist version=\"1.0\"><dict/>\n<!-- conflict: a\n"))
        #expect(marked.comments.count == 1)
    }

    @Test("Comments are found, and what only looks like one is not")
    func comments() throws {
        let list = try document(
            "<!-- 1 --><dict><!--2--><key>a</key><string><![CDATA[<!-- no -->]]></string><?p <!-- no -->?></dict>")
        #expect(list.comments == ["<!-- 1 -->", "<!--2-->"])
    }

    @Test("A root that is no dictionary is refused, and the reason told")
    func roots() throws {
        let list = try document("<array/>")
        let error = try #require(throws: PropertyListEditError.self) {
            try PropertyListMerge(base: list, ours: list, theirs: list)
        }
        #expect("\(error)".contains("the root of a version is not a dictionary"))
    }
}
