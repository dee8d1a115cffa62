import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Editing property lists byte by byte")
struct PropertyListEditorTests {
    static let file = """
        <?xml version='1.0' encoding='UTF-8'?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <!-- Kept. -->
        <plist version="1.0">
        <dict>
        \t<key>alpha</key>
        \t<true/> <!-- on -->
        \t<!-- About ui. -->
        \t<key>ui</key>
        \t<dict>
        \t\t<key>blue_text</key>
        \t\t<string>caf&#xE9; <![CDATA[<b>]]></string>
        \t</dict>
        </dict>
        </plist>

        """

    @Test("Replacing a value changes nothing but its element")
    func replaces() throws {
        let edited = try document(text: Self.file).setting(.bool(false), at: key("alpha"))
        #expect(text(edited) == Self.file.replacing("<true/>", with: "<false/>"))
    }

    @Test("Setting an equal value changes nothing")
    func keepsEqual() throws {
        let document = try document(text: Self.file)
        #expect(try document.setting(.string("café <b>"), at: key("ui/blue_text")).source == document.source)
        #expect(try document.removing(key("none/at/all")).source == document.source)
        #expect(try document.omitting([key("none"), key("alpha/x")]).source == document.source)
    }

    @Test("A new entry stands in key order, behind the comment on the line above and before those of the next entry")
    func inserts() throws {
        let edited = try document(text: Self.file).setting(.integer(5), at: key("beta"))
        #expect(
            text(edited)
                == Self.file.replacing(
                    "<!-- on -->\n", with: "<!-- on -->\n\t<key>beta</key>\n\t<integer>5</integer>\n"))
    }

    @Test("Missing groups are created, indented as their neighbours")
    func createsGroups() throws {
        let edited = try document(text: Self.file).setting(.array([.bool(true), .array([])]), at: key("ui/new/x&y"))
        let group = """
            \t\t<key>new</key>
            \t\t<dict>
            \t\t\t<key>x&amp;y</key>
            \t\t\t<array>
            \t\t\t\t<true/>
            \t\t\t\t<array/>
            \t\t\t</array>
            \t\t</dict>

            """
        #expect(text(edited) == Self.file.replacing("</string>\n", with: "</string>\n" + group))
    }

    @Test("Removing takes the entry's lines, leaves comments, and leaves an empty group")
    func removes() throws {
        let document = try document(text: Self.file)
        #expect(
            try text(document.removing(key("alpha")))
                == Self.file.replacing("\t<key>alpha</key>\n\t<true/> <!-- on -->", with: "\t<!-- on -->"))
        #expect(
            try text(document.removing(key("ui/blue_text")))
                == Self.file.replacing(
                    "\t\t<key>blue_text</key>\n\t\t<string>caf&#xE9; <![CDATA[<b>]]></string>\n", with: ""))
    }

    @Test("Omitting takes an entry's own comments and the group that thereby becomes empty")
    func omits() throws {
        let document = try document(text: Self.file)
        let group = try #require(Self.file.range(of: "\t<!-- About ui. -->")).lowerBound
        let end = try #require(Self.file.range(of: "</dict>\n</plist>")).lowerBound
        #expect(
            try text(document.omitting([key("ui/blue_text")]))
                == Self.file.replacingCharacters(in: group..<end, with: ""))
        let all = try document.omitting([key("ui/blue_text"), key("alpha"), key("ui")])
        #expect(text(all).hasSuffix("<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n"))
        let kept = try document.setting(.bool(true), at: key("ui/a")).omitting([key("ui/blue_text")])
        #expect(try kept.value(at: key("ui")) == .dictionary(["a": .bool(true)]))
    }

    @Test(
        "Omitting takes the comments before an entry on its line, and leaves those of its neighbours",
        arguments: [
            ("<!-- s --> <key>hid</key><true/>", ""), ("<!-- s --><!-- s --> <key>hid</key><true/>", ""),
            ("<!-- s -->\n<!-- s --> <!-- s -->\n<!-- s --> <key>hid</key><true/>", ""),
            ("<!-- s\ns --> <key>hid</key><true/>", ""),
            ("<key>a</key><true/> <!-- a -->\n<key>hid</key><true/>", "<key>a</key><true/> <!-- a -->"),
            ("<!-- a -->\n\n<!-- s --> <key>hid</key><true/>", "<!-- a -->"),
            ("<key>a</key><true/><!-- s --><key>hid</key><true/>", "<key>a</key><true/>"),
        ])
    func omitsCommentsBefore(content: String, rest: String) throws {
        let document = try document("<dict>\n<key>z</key><true/>\n\n\(content)\n</dict>")
        let shared = text(try document.omitting([key("hid")]))
        #expect(!shared.contains("s -->"), "\(shared)")
        #expect(shared.split(separator: "\n").dropFirst(2).dropLast().joined(separator: "\n") == rest, "\(shared)")
    }

    @Test(
        "Dictionaries of every form take an entry and give it back",
        arguments: [
            ("<dict/>", "<dict><key>a</key><true/></dict>"),
            ("<dict></dict>", "<dict><key>a</key><true/></dict>"),
            ("<dict x='1' />", "<dict x='1'><key>a</key><true/></dict>"),
            ("<dict><key>b</key><true/></dict>", "<dict><key>a</key><true/><key>b</key><true/></dict>"),
            ("<dict> <key>B</key> <true/> </dict>", "<dict> <key>B</key> <true/> <key>a</key> <true/> </dict>"),
            ("\n<dict/>\n", "\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n"),
            ("\n<dict></dict>\n", "\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n"),
            ("\n<dict>\n</dict>\n", "\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n"),
            ("\r\n<dict/>\r\n", "\r\n<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n</dict>\r\n"),
            ("\r<dict/>\r", "\r<dict>\r\t<key>a</key>\r\t<true/>\r</dict>\r"),
            ("\n  <dict/>\n", "\n  <dict>\n    <key>a</key>\n    <true/>\n  </dict>\n"),
            ("\n<dict>\n\t<!-- c -->\n</dict>", "\n<dict>\n\t<!-- c -->\n\t<key>a</key>\n\t<true/>\n</dict>"),
            ("\n<dict> <!-- c -->\n</dict>", "\n<dict> <!-- c -->\n\t<key>a</key>\n\t<true/>\n</dict>"),
            (
                "\n<dict>\n   <key>b</key> <true/>\n</dict>",
                "\n<dict>\n   <key>a</key> <true/>\n   <key>b</key> <true/>\n</dict>"
            ),
            (
                "\n<dict> <!-- d -->\n\n <!-- c -->\n <key>b</key>\n  <true/>\n</dict>",
                "\n<dict> <!-- d -->\n <key>a</key>\n  <true/>\n\n <!-- c -->\n <key>b</key>\n  <true/>\n</dict>"
            ),
            (
                "\n<dict>\n\t<key>c</key>\n\t<true/>  \n\t<key>b</key>\n\t<true/>\n</dict>",
                "\n<dict>\n\t<key>c</key>\n\t<true/>  \n\t<key>b</key>\n\t<true/>\n\t<key>a</key>\n\t<true/>\n</dict>"
            ),
            (
                "\n<dict>\n<key>_</key>\n<true/>\n<!-- end -->\n</dict>",
                "\n<dict>\n<key>_</key>\n<true/>\n<key>a</key>\n<true/>\n<!-- end -->\n</dict>"
            ),
        ])
    func inserts(into before: String, giving after: String) throws {
        let document = try document(before)
        let edited = try document.setting(.bool(true), at: key("a"))
        #expect(text(edited) == "<plist version=\"1.0\">\(after)</plist>")
        let emptied = try edited.removing(key("a"))
        #expect(emptied.root == document.root)
        if before.contains("key") { #expect(text(emptied) == text(document)) }
    }

    @Test("A nested empty group opens with its key's indentation and the file's step")
    func opensNestedGroup() throws {
        let before = "\n<dict>\n  <key>z</key>\n  <dict/>\n  <key>g</key> <dict/>\n</dict>\n"
        let document = try document(before)
        #expect(
            try text(document.setting(.bool(true), at: key("z/a")))
                == text(document).replacing(
                    "\n  <dict/>", with: "\n  <dict>\n    <key>a</key>\n    <true/>\n  </dict>"))
        #expect(
            try text(document.setting(.bool(true), at: key("g/a")))
                == text(document).replacing(
                    "> <dict/>", with: "> <dict>\n    <key>a</key>\n    <true/>\n  </dict>"))
    }

    @Test("A comment between a key and its value stays when both go")
    func keepsInnerComment() throws {
        let document = try document("\n<dict>\n\t<key>a</key> <!-- c -->\n\t<true/>\n</dict>\n")
        #expect(try text(document.removing(key("a"))).contains("\n<dict>\n\t<!-- c -->\n</dict>\n"))
    }

    @Test("Entries on one line are removed without a trace")
    func removesFromOneLine() throws {
        let document = try document(
            "\n<dict>\n\t<key>a</key><true/> <key>b</key><true/> <key>c</key><true/>\n</dict>\n")
        #expect(try text(document.removing(key("b"))) == text(document).replacing(" <key>b</key><true/>", with: ""))
        #expect(try text(document.omitting([key("a"), key("b"), key("c")])).contains("\n<dict>\n</dict>\n"))
    }

    @Test(
        "Values are written so that they read back the same",
        arguments: [
            (.string("a<b>&\"'\r\n]]>\t😀"), "<string>a&lt;b&gt;&amp;\"'&#13;\n]]&gt;\t😀</string>"),
            (.string(""), "<string></string>"), (.double(0.1), "<real>0.1</real>"), (.double(3), "<real>3.0</real>"),
            (.double(.nan), "<real>nan</real>"), (.double(.infinity), "<real>+infinity</real>"),
            (.double(-.infinity), "<real>-infinity</real>"), (.double(-0.0), "<real>-0.0</real>"),
            (.double(.leastNonzeroMagnitude), "<real>5e-324</real>"),
            (.double(.greatestFiniteMagnitude), "<real>1.7976931348623157e+308</real>"),
            (.integer(Int128(UInt64.max)), "<integer>18446744073709551615</integer>"),
            (.integer(Int128(Int64.min)), "<integer>-9223372036854775808</integer>"),
            (.date(Date(timeIntervalSince1970: 1_321_009_871)), "<date>2011-11-11T11:11:11Z</date>"),
            (.date(Date(timeIntervalSince1970: -62_135_596_800)), "<date>0001-01-01T00:00:00Z</date>"),
            (.date(Date(timeIntervalSince1970: 253_402_300_799)), "<date>9999-12-31T23:59:59Z</date>"),
            (.data(Data([0, 1, 2])), "<data>AAEC</data>"), (.data(Data()), "<data></data>"),
            (.array([]), "<array/>"), (.dictionary([:]), "<dict/>"),
            (
                .dictionary(["b": .array([.bool(true)]), "a": .bool(false)]),
                "<dict><key>a</key><false/><key>b</key><array><true/></array></dict>"
            ),
        ] as [(FlagValue, String)])
    func writes(value: FlagValue, element: String) throws {
        let edited = try document("<dict><key>k</key><string>old</string></dict>").setting(value, at: key("k"))
        #expect(text(edited) == "<plist version=\"1.0\"><dict><key>k</key>\(element)</dict></plist>")
        #expect(try edited.value(at: key("k")) == value)
        #expect(try PropertyListDocument(root: value).root == value)
    }

    @Test("An entry gets another name by the bytes of its key alone, unless that name is taken")
    func renamesEntries() throws {
        func source(_ name: String) -> String {
            "<dict><key>g</key><dict><key>b</key><true/>\n<key>\(name)</key> <!-- why --> <integer>0x7</integer></dict></dict>"
        }
        let before = try document(source("a"))
        let renamed = try #require(try before.renaming(key("g/a"), to: "x<"))
        #expect(text(renamed) == "<plist version=\"1.0\">\(source("x&lt;"))</plist>")
        #expect(try renamed.value(at: key("g/x<")) == .integer(7))
        #expect(try before.renaming(key("g/a"), to: "b") == nil)
        #expect(try before.renaming(key("g/none"), to: "c") == nil)
        #expect(throws: PropertyListEditError.self) { try before.renaming(key("g/a"), to: "\u{1}") }
    }

    @Test("A date loses its fraction of a second, before 1970 as well")
    func roundsDates() throws {
        let edited = try PropertyListDocument.empty()
            .setting(.date(Date(timeIntervalSince1970: -0.5)), at: key("d"))
        #expect(text(edited).contains("<date>1969-12-31T23:59:59Z</date>"))
    }

    @Test("A file declared as US-ASCII stays ASCII")
    func keepsASCII() throws {
        let before = "<?xml version='1.0' encoding='US-ASCII'?>\n<plist><dict/></plist>"
        let edited = try document(text: before).setting(.string("é😀"), at: key("ü"))
        #expect(text(edited).contains("<key>&#252;</key><string>&#233;&#128512;</string>"))
    }

    @Test(
        "What a property list can't store is refused",
        arguments: [
            ("k", .string("\u{0}"), "U+0000"), ("k", .array([.dictionary(["a\u{1B}": .bool(true)])]), "U+001B"),
            ("k\u{1}", .bool(true), "U+0001"), ("k", .string("\u{FFFE}"), "U+FFFE"),
            ("k", .integer(Int128(UInt64.max) + 1), "out of range"),
            ("k", .integer(Int128(Int64.min) - 1), "out of range"),
            ("k", .date(.distantPast.addingTimeInterval(-4e13)), "-999999 to 999999"),
            ("k", .date(.distantFuture.addingTimeInterval(1e15)), "-999999 to 999999"),
            (String(repeating: "k/", count: 64), .bool(true), "more than 64 levels deep"),
        ] as [(String, FlagValue, String)])
    func refuses(path: String, value: FlagValue, reason: String) throws {
        let error = try #require(throws: PropertyListEditError.self) {
            try PropertyListDocument.empty().setting(value, at: key(path))
        }
        #expect(error.isNotStorable)
        #expect(error.description.contains(reason), "\(error)")
        if !path.contains("/"), !path.contains("\u{1}") {
            let problem = try #require(throws: PropertyListError.self) { try PropertyListDocument(root: value) }
            #expect(problem.description.contains(reason))
        }
    }

    @Test("An edit never passes through something that is no dictionary")
    func refusesToClobber() throws {
        let document = try document(text: Self.file)
        let set = try #require(throws: PropertyListEditError.self) {
            try document.setting(.bool(true), at: key("alpha/x/y"))
        }
        #expect(set.isBlocked)
        #expect(
            set.description.contains("can't change alpha/x/y: \"alpha\" is boolean true (line 7), not a <dict>"))
        let removal = try #require(throws: PropertyListEditError.self) { try document.removing(key("alpha/x")) }
        #expect(removal.isBlocked)
        #expect(throws: PropertyListEditError.self) {
            try FeatureFlagsXMLTests.document("<array/>").setting(.bool(true), at: key("a"))
        }
    }

    @Test("A fresh document has RealFlags' layout")
    func writesFresh() throws {
        let header = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        #expect(text(.empty()) == header + "<dict/>\n</plist>\n")
        let root = FlagValue.dictionary([
            "z": .bool(true), "B": .array([.integer(1)]), "a": .dictionary(["x": .string("1"), "e": .dictionary([:])]),
        ])
        let body = """
            <dict>
            \t<key>B</key>
            \t<array>
            \t\t<integer>1</integer>
            \t</array>
            \t<key>a</key>
            \t<dict>
            \t\t<key>e</key>
            \t\t<dict/>
            \t\t<key>x</key>
            \t\t<string>1</string>
            \t</dict>
            \t<key>z</key>
            \t<true/>
            </dict>
            </plist>

            """
        #expect(try text(PropertyListDocument(root: root)) == header + body)
        let stepwise = try PropertyListDocument.empty()
            .setting(.string("1"), at: key("a/x")).setting(.bool(true), at: key("z"))
            .setting(.array([.integer(1)]), at: key("B")).setting(.dictionary([:]), at: key("a/e"))
        #expect(text(stepwise) == header + body)
    }
}
