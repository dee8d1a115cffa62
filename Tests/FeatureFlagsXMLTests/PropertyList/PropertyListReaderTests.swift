import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Reading property lists")
struct PropertyListReaderTests {
    @Test(
        "Every element is read as its value",
        arguments: [
            ("<true/>", .bool(true)), ("<false></false>", .bool(false)), ("<true> <!-- c --> </true>", .bool(true)),
            ("<integer>42</integer>", .integer(42)), ("<integer> -7\n</integer>", .integer(-7)),
            ("<integer>+5</integer>", .integer(5)), ("<integer>0xfF</integer>", .integer(255)),
            ("<integer>-0x10</integer>", .integer(-16)), ("<integer>007</integer>", .integer(7)),
            ("<integer>-9223372036854775808</integer>", .integer(Int128(Int64.min))),
            ("<integer>18446744073709551615</integer>", .integer(Int128(UInt64.max))),
            ("<real>1.5</real>", .double(1.5)), ("<real>-2e3</real>", .double(-2000)), ("<real>3</real>", .double(3)),
            ("<real>.5</real>", .double(0.5)), ("<real>1.</real>", .double(1)), ("<real>-0.0</real>", .double(-0.0)),
            ("<real>nan</real>", .double(.nan)), ("<real>NaN</real>", .double(.nan)),
            ("<real>inf</real>", .double(.infinity)), ("<real>+Infinity</real>", .double(.infinity)),
            ("<real>-INFINITY</real>", .double(-.infinity)), ("<real>infinity</real>", .double(.infinity)),
            ("<string>a</string>", .string("a")), ("<string/>", .string("")), ("<string></string>", .string("")),
            ("<string> a\n</string>", .string(" a\n")), ("<string>a\r\nb</string>", .string("a\nb")),
            ("<string>a<!-- c -->b<![CDATA[<&]]>c<?p i?>d</string>", .string("ab<&cd")),
            ("<string>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;&#13;</string>", .string("<&>\"'A😀\r")),
            ("<date>2011-11-11T11:11:11Z</date>", .date(Date(timeIntervalSince1970: 1_321_009_871))),
            ("<date>2000-02-29T00:00:00Z</date>", .date(Date(timeIntervalSince1970: 951_782_400))),
            ("<date>0001-01-01T00:00:00Z</date>", .date(Date(timeIntervalSince1970: -62_135_596_800))),
            ("<data>AAEC</data>", .data(Data([0, 1, 2]))), ("<data>\n\tAA\n\tE=\n</data>", .data(Data([0, 1]))),
            ("<data/>", .data(Data())), ("<array/>", .array([])), ("<dict/>", .dictionary([:])),
            (
                "<array><true/><!-- c --><array><string>x</string></array></array>",
                .array([.bool(true), .array([.string("x")])])
            ),
            (
                "<dict><key>a&amp;b</key><true/><key/><integer>1</integer><key>g</key><dict><key>x</key><real>1</real></dict></dict>",
                .dictionary(["a&b": .bool(true), "": .integer(1), "g": .dictionary(["x": .double(1)])])
            ),
            ("<dict a='1'><key b='&lt;2>'>k</key ><true c=\"/>\" /></dict>", .dictionary(["k": .bool(true)])),
        ] as [(String, FlagValue)])
    func reads(element: String, value: FlagValue) throws {
        #expect(try document(element).root == value)
    }

    @Test(
        "What is no property list is refused with its place and cause",
        arguments: [
            ("", 1, 1, "is empty"), (" \n ", 1, 1, "only white space"), ("{\"a\": 1}", 1, 1, "looks like JSON"),
            ("a = 1", 1, 1, "doesn't start with <"), ("[1, \"a = b;\"]", 1, 1, "looks like JSON"),
            ("\"a\" = \"b\";", 1, 1, "is an OpenStep property list"), ("\"a = b\"", 1, 1, "looks like JSON"),
            ("{\n  \"Dark Mode\" = YES;\n}", 1, 1, "is an OpenStep property list"),
            ("{ zones = (north, south); }", 1, 1, "plutil -convert xml1"),
            ("\n(1, 2)", 1, 1, "is an OpenStep property list"),
            ("<!DOCTYPE html>\n<html></html>", 1, 1, "looks like an HTML page"),
            ("<html></html>", 1, 1, "an HTML page"),
            ("<?xml version=\"1.0\"?>\n <svg/>", 2, 2, "root element <svg>"), ("<dict/>", 1, 1, "root element <dict>"),
            ("<plist>\n<dict>\n</plist>", 3, 1, "invalid XML"), ("<plist><dict/>", 1, 15, "invalid XML"),
            ("<plist><true/></plist>x", 1, 23, "invalid XML"),
            ("<plist><string>&</string></plist>", 1, 17, "invalid XML"),
            ("<plist><string>&#1;</string></plist>", 1, 20, "invalid XML"),
            ("<plist>\n\t<bool/></plist>", 2, 2, "<bool> is not a property list element"),
            ("<plist><dict><bool/></dict></plist>", 1, 14, "<bool> is not a property list element"),
            ("<plist><x:dict xmlns:x='u'/></plist>", 1, 8, "<x:dict> is not a property list element"),
            ("<plist><dict>\n<key>a</key>\n</dict></plist>", 2, 1, "the key \"a\" has no value"),
            ("<plist><dict>\n<key>a</key><key>b</key><true/></dict></plist>", 2, 1, "the key \"a\" has no value"),
            ("<plist><dict>\n <true/></dict></plist>", 2, 2, "this <true> has no key"),
            (
                "<plist><dict> <!-- c -->\n  x<key>a</key><true/></dict></plist>", 2, 3,
                "text is not allowed directly in <dict>"
            ),
            ("<plist><array>é<true/>\nx</array></plist>", 1, 15, "text is not allowed directly in <array>"),
            ("<plist>x<true/></plist>", 1, 8, "text is not allowed directly in <plist>"),
            ("<plist><true/>\r\n<true/></plist>", 2, 1, "one root value"), ("<plist/>", 1, 1, "the <plist> is empty"),
            ("<plist> </plist>", 1, 1, "the <plist> is empty"),
            ("<plist><key>a</key></plist>", 1, 8, "must be directly in a <dict>"),
            ("<plist><array><key>a</key></array></plist>", 1, 15, "must be directly in a <dict>"),
            ("<plist><plist/></plist>", 1, 8, "can't be inside another"),
            ("<plist><string>é<true/></string></plist>", 1, 17, "<true> can't be inside <string>"),
            ("\u{FEFF}<plist><bool/></plist>", 1, 8, "<bool>"),
        ] as [(String, Int, Int, String)])
    func refuses(source: String, line: Int, column: Int, reason: String) throws {
        let error = try failure(Data(source.utf8))
        #expect(error.location == SourceLocation(line: line, column: column))
        #expect(error.reason.contains(reason), "\(error)")
        #expect(error.description == "line \(line), column \(column): \(error.reason)")
    }

    @Test(
        "An element whose text is no value of its kind is broken by itself, with its text and its reason",
        arguments: [
            (.integer, "18446744073709551616", "out of range"), (.integer, "-9223372036854775809", "out of range"),
            (.integer, "99999999999999999999999999999999999999999999", "out of range"),
            (.integer, "0xfffffffffffffffffff", "out of range"), (.integer, "", "not a whole number"),
            (.integer, "1.5", "not a whole number"), (.integer, "0x-5", "not a whole number"),
            (.integer, "0x", "not a whole number"), (.real, "1,5", "not a number"), (.real, "0x1p3", "not a number"),
            (.real, "", "not a number"), (.real, "nan(1)", "not a number"),
            (.date, "2023-02-29T00:00:00Z", "not a date"),
            (.date, "2023-02-01", "not a date"),
            (.date, " 2023-13-01T00:00:00Z\n", "\"2023-13-01T00:00:00Z\" is not a date"),
            (.date, "2023-01-01T24:00:00Z", "not a date"), (.date, "1000000-01-01T00:00:00Z", "not a date"),
            (.date, "", "not a date"), (.data, "A", "not base64"), (.data, "AA=A!", "not base64"),
            (.unknown("interger"), "3", "<interger> is not a property list element"),
            (.unknown("null"), "", "<null> is not a property list element"),
            (.unknown("null"), " ", "<null> is not a property list element"),
            (.yes, "no", "write it as <true/>"), (.no, "0", "write it as <false/>"),
            (.date, String(repeating: "2", count: 5000), "text of 5000 characters is not a date"),
            (.integer, String(repeating: "9", count: 5000), "text of 5000 characters is not a whole number"),
        ] as [(BrokenFlagValue.Kind, String, String)])
    func readsBroken(kind: BrokenFlagValue.Kind, broken: String, reason: String) throws {
        let element = "<\(kind.rawValue)>\(broken)</\(kind.rawValue)>"
        let list = try document(
            "<dict><key>a</key>\(element)<key>b</key><array>\(element)</array><key>c</key><true/></dict>")
        let value = BrokenFlagValue(kind: kind, text: broken)
        #expect(try list.value(at: key("a")) == .broken(value))
        #expect(try list.value(at: key("b")) == .array([.broken(value)]))
        #expect(try list.value(at: key("c")) == .bool(true))
        #expect(value.problem.contains(reason), "\(value.problem)")
        let edited = try list.setting(.bool(false), at: key("c"))
        #expect(text(edited) == text(list).replacing("<key>c</key><true/>", with: "<key>c</key><false/>"))
        #expect(try list.setting(.integer(1), at: key("a")).value(at: key("a")) == .integer(1))
        #expect(try list.removing(key("b")).removing(key("a")).root == ["c": true])
        #expect(try PropertyListDocument(root: list.root).root == list.root)
    }

    @Test(
        "An element with other elements or attributes that no value has is broken by itself",
        arguments: [
            ("<bool of='x'/>", "bool"), ("<Dict><key>b</key><true/></Dict>", "Dict"),
            ("<set><integer>1</integer><set/></set>", "set"), ("<string>a<b/>c</string>", "string"),
            ("<integer>1<!-- c --><x>2</x></integer>", "integer"), ("<interger>1<key>b</key></interger>", "interger"),
            ("<x:dict xmlns:x='u'>t<x:a/></x:dict>", "x:dict"), ("<true><plist/></true>", "true"),
        ])
    func readsMarkup(element: String, name: String) throws {
        let array = "<array>\(element)<true/></array>"
        let list = try document("<dict><key>a</key>\(element)<key>b</key>\(array)<key>c</key><true/></dict>")
        let value = FlagValue.broken(BrokenFlagValue(kind: .markup, text: name))
        #expect(list.root == ["a": value, "b": [value, true], "c": true])
        #expect(try list.setting(.bool(false), at: key("c")).root == ["a": value, "b": [value, true], "c": false])
        let edited = try list.setting(.integer(1), at: key("a"))
        #expect(
            text(edited)
                == text(list).replacing("<key>a</key>\(element)", with: "<key>a</key><integer>1</integer>"))
        #expect(try list.removing(key("b")).root == ["a": value, "c": true])
        let problem = try #require(throws: FlagValueError.self) { try list.value(at: try key("a/b")) }
        #expect(problem.description.contains("<\(name)>"))
        // What it contains may be of a flag that isn't handed out.
        #expect(try text(list.omitting([key("a/b")])).contains("<key>a</key>") == false)
        #expect(throws: PropertyListError.self) { try PropertyListDocument(root: list.root) }
    }

    @Test(
        "Dates of all years that Core Foundation writes are read and written",
        arguments: [
            ("0000-12-30T00:00:00Z", .distantPast),
            ("0000-01-01T00:00:00Z", Date(timeIntervalSince1970: -62_167_219_200)),
            ("-0001-12-31T23:59:59Z", Date(timeIntervalSince1970: -62_167_219_201)),
            ("10000-01-01T00:00:00Z", Date(timeIntervalSince1970: 253_402_300_800)),
            ("4001-01-01T00:00:00Z", .distantFuture),
            ("144683-05-23T07:11:31Z", Date(timeIntervalSince1970: 4_503_599_593_891)),
        ] as [(String, Date)])
    func readsYears(written: String, date: Date) throws {
        let list = try document("<dict><key>d</key><date>\(written)</date></dict>")
        #expect(try list.value(at: key("d")) == .date(date))
        #expect(text(try document("<dict/>").setting(.date(date), at: key("d"))).contains("<date>\(written)</date>"))
        #expect(FlagDate.text(date) == written)
        #expect(Date(encoded: .string(written)) == date)
    }

    @Test("A slice of other bytes is read by itself")
    func readsSlice() throws {
        let slice = Data("junk<plist><dict><key>a</key><true/></dict></plist>".utf8).dropFirst(4)
        let edited = try PropertyListDocument(source: slice).setting(.bool(false), at: key("a"))
        #expect(text(edited) == "<plist><dict><key>a</key><false/></dict></plist>")
    }

    @Test("A binary property list is named, and how to convert it")
    func refusesBinary() throws {
        #expect(try failure(Data("bplist00\u{0}\u{FF}".utf8)).reason.contains("plutil -convert xml1"))
    }

    @Test("A byte order mark, attributes, comments and processing instructions are tolerated")
    func toleratesSurroundings() throws {
        let source = """
            \u{FEFF}<?xml version='1.0' encoding='utf-8' standalone="no"?>
            <!-- <!DOCTYPE x [ --><?a b?>
            <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "https://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0" extra="x"><!-- c --><dict/></plist><!-- d -->

            """
        #expect(try document(text: source).root == .dictionary([:]))
    }

    @Test("Values and their places are found by path")
    func findsValues() throws {
        let document = try document(
            "\n<dict>\n\t<key>ui</key>\n\t<dict><key>a/b</key> <true/></dict>\n\t<key>list</key>\n\t<array>\n<dict>\n"
                + "<key>é</key><integer>1</integer></dict></array>\n</dict>\n")
        #expect(try document.value(at: key("ui/a~1b")) == .bool(true))
        #expect(try document.value(at: key("ui/none")) == nil)
        #expect(try document.value(at: key("none/none")) == nil)
        #expect(document.location(at: try key("ui/a~1b")) == SourceLocation(line: 4, column: 23))
        #expect(document.location(at: try key("ui/none")) == nil)
        #expect(document.location(of: [.key("list"), .index(0), .key("é")]) == SourceLocation(line: 8, column: 13))
        #expect(document.location(of: [.key("list"), .index(1)]) == nil)
        #expect(document.location(of: [.key("ui"), .index(0)]) == nil)
        #expect(document.location(of: []) == SourceLocation(line: 2, column: 1))
    }

    @Test("A path through something that is no dictionary is broken, not absent")
    func reportsBrokenPath() throws {
        let document = try document("<dict>\n<key>ui</key><string>x</string></dict>")
        let problem = try #require(throws: FlagValueError.self) { try document.value(at: try key("ui/blue")) }
        #expect(problem.description.contains("\"ui\" is string \"x\" (line 2), not a <dict>"))
        let root = try #require(throws: FlagValueError.self) {
            try FeatureFlagsXMLTests.document("<true/>").value(at: try key("ui"))
        }
        #expect(root.description.contains("the root is boolean true"))
    }
}
