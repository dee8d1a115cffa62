import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Editing parts of arrays and dictionaries")
struct PropertyListPartsTests {
    private static let file = """
        <plist version="1.0">
        <dict>
        \t<key>holidays</key>
        \t<array>
        \t\t<!-- moved every year -->
        \t\t<date> 2027-04-05T00:00:00Z </date> <!-- Easter -->
        \t\t<date>2027-05-01T00:00:00Z</date>
        \t\t<date>2027-12-25T00:00:00Z</date> <!-- Christmas -->
        \t</array>
        \t<key>keys</key>
        \t<array>
        \t\t<dict><key>id</key><integer>0x01</integer><key>secret</key><data>
        \t\t\tAAEC
        \t\t\tAwQF
        \t\t</data></dict>
        \t\t<dict>
        \t\t\t<key>id</key><integer>+2</integer> <!-- the old one -->
        \t\t\t<key>secret</key>
        \t\t\t<data>/w==</data>
        \t\t\t<key>tags</key><array/>
        \t\t</dict>
        \t</array>
        </dict>
        </plist>

        """

    private static func day(_ text: String) throws -> FlagValue {
        .date(try #require(FlagDate.parse("2027-\(text)")))
    }

    private func edited(_ path: String, _ change: (inout FlagValue) throws -> Void) throws -> String {
        let list = try document(text: Self.file)
        var value = try #require(try list.value(at: key(path)))
        try change(&value)
        let edited = try list.setting(value, at: key(path))
        #expect(try edited.value(at: key(path)) == value)
        // Only what stands around the edit is read.
        #expect(edited.wholeReads == list.wholeReads)
        return text(edited)
    }

    private func elements(_ value: FlagValue) throws -> [FlagValue] {
        guard case .array(let values) = value else { throw FlagValueError("no array") }
        return values
    }

    @Test("An element that is removed takes its line with it, and nothing of the others", arguments: [0, 1, 2])
    func removes(index: Int) throws {
        let lines = [
            "\t\t<date> 2027-04-05T00:00:00Z </date> <!-- Easter -->\n", "\t\t<date>2027-05-01T00:00:00Z</date>\n",
            "\t\t<date>2027-12-25T00:00:00Z</date> <!-- Christmas -->\n",
        ]
        let left = ["\t\t<!-- Easter -->\n", "", "\t\t<!-- Christmas -->\n"]
        let result = try edited("holidays") { value in
            var values = try elements(value)
            values.remove(at: index)
            value = .array(values)
        }
        #expect(result == Self.file.replacing(lines[index], with: left[index]))
    }

    @Test("An element that is edited changes its own bytes")
    func edits() throws {
        let result = try edited("holidays") { value in
            var values = try elements(value)
            values[1] = try Self.day("05-02")
            value = .array(values)
        }
        #expect(result == Self.file.replacing("05-01T", with: "05-02T"))
    }

    @Test("Elements are added at the front, in the middle and at the end, indented as the others")
    func adds() throws {
        let result = try edited("holidays") { value in
            var values = try elements(value)
            values.insert(try Self.day("01-01"), at: 0)
            values.insert(try Self.day("04-06"), at: 2)
            values += [try Self.day("12-26"), try Self.day("12-31")]
            value = .array(values)
        }
        let line = { (day: String) in "\t\t<date>2027-\(day)T00:00:00Z</date>\n" }
        #expect(
            result
                == Self.file.replacing("\t\t<!-- moved", with: line("01-01") + "\t\t<!-- moved")
                .replacing("<!-- Easter -->\n", with: "<!-- Easter -->\n" + line("04-06"))
                .replacing("<!-- Christmas -->\n", with: "<!-- Christmas -->\n" + line("12-26") + line("12-31")))
    }

    @Test("An element that moves takes its bytes along")
    func moves() throws {
        let result = try edited("holidays") { value in
            let values = try elements(value)
            value = .array([values[1], values[2], values[0]])
        }
        #expect(result.contains("<date> 2027-04-05T00:00:00Z </date>\n\t</array>"))
        #expect(result.contains("\t\t<date>2027-05-01T00:00:00Z</date>\n\t\t<date>2027-12-25T00:00:00Z</date> <!--"))
    }

    @Test("Elements that change places take their bytes along, whatever they are")
    func exchanges() throws {
        let items = [
            "<data>\n\tAQ\n\tI=\n\t</data>", "<real>2.50</real>", "<string>&#x79;</string>",
            "<date> 2027-04-05T00:00:00Z </date>",
        ]
        let source = { (items: [String]) in
            let list = items.map { "\t\t\($0)\n" }.joined()
            return "<plist><dict>\n\t<key>a</key>\n\t<array>\n\(list)\t</array>\n</dict></plist>"
        }
        let list = try PropertyListDocument(source: Data(source(items).utf8))
        let edited = try list.setting(
            .array(try elements(try #require(try list.value(at: key("a")))).reversed()), at: key("a"))
        #expect(String(decoding: edited.source, as: UTF8.self) == source(items.reversed()))
    }

    @Test("A part deep inside is edited alone")
    func editsInside() throws {
        let result = try edited("keys") { value in
            var values = try elements(value)
            guard case .dictionary(var entries) = values[1] else { throw FlagValueError("no dictionary") }
            entries["id"] = 3
            entries["tags"] = ["a"]
            entries["note"] = "x"
            values[1] = .dictionary(entries)
            value = .array(values)
        }
        #expect(
            result
                == Self.file.replacing("<integer>+2</integer>", with: "<integer>3</integer>")
                .replacing(
                    "<!-- the old one -->\n", with: "<!-- the old one -->\n\t\t\t<key>note</key><string>x</string>\n"
                )
                .replacing("<array/>", with: "<array>\n\t\t\t\t<string>a</string>\n\t\t\t</array>"))
    }

    @Test("An entry that is removed from a dictionary in an array leaves all else")
    func removesInside() throws {
        let result = try edited("keys") { value in
            var values = try elements(value)
            guard case .dictionary(var entries) = values[0] else { throw FlagValueError("no dictionary") }
            entries["id"] = nil
            values[0] = .dictionary(entries)
            value = .array(values)
        }
        #expect(result == Self.file.replacing("<key>id</key><integer>0x01</integer>", with: ""))
    }

    @Test("An array that becomes empty keeps the comments in it, and one without any closes itself")
    func empties() throws {
        let result = try edited("holidays") { $0 = [] }
        #expect(result.contains("<!-- moved every year -->") && !result.contains("<date>"))
        #expect(try edited("keys") { $0 = [] }.contains("<key>keys</key>\n\t<array/>"))
    }

    @Test("Many elements of a long array are edited, removed, added and moved as asked, whatever they are")
    func editsLongArrays() throws {
        var random = SystemRandomNumberGenerator()
        let old = (0..<400).map { FlagValue.integer(Int128($0 % 250)) }
        let list = try PropertyListDocument(root: ["a": .array(old)])
        for _ in 0..<20 {
            var new = old
            for _ in 0..<40 {
                let place = Int.random(in: new.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: new.remove(at: place)
                case 1: new.insert(.string("new"), at: place)
                case 2: new.swapAt(place, Int.random(in: new.indices, using: &random))
                default: new[place] = .integer(Int128.random(in: 0..<300, using: &random))
                }
            }
            #expect(try list.setting(.array(new), at: key("a")).root == ["a": .array(new)])
        }
    }

    @Test("Text of several lines is written with the line ends of the file, and reads back the same")
    func lineEnds() throws {
        for lineEnd in ["\r\n", "\r", "\n"] {
            let source = "<plist version=\"1.0\">\n<dict>\n\t<key>s</key>\n\t<string>x</string>\n</dict>\n</plist>\n"
                .replacing("\n", with: lineEnd)
            let edited = try document(text: source).setting("one\ntwo\r\nthree", at: key("s"))
            #expect(text(edited) == source.replacing("<string>x", with: "<string>one\(lineEnd)two&#13;\(lineEnd)three"))
            #expect(try edited.value(at: key("s")) == "one\ntwo\r\nthree")
        }
    }
}
