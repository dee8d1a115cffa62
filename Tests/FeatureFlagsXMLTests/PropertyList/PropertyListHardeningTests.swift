import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Refusing hostile property lists")
struct PropertyListHardeningTests {
    private static let apple =
        "PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\""

    private static let bomb: String = {
        let levels = (1...9).map { level in
            "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        return "<!DOCTYPE plist [<!ENTITY a0 \"ha\">" + levels.joined() + "]>\n<plist><string>&a9;</string></plist>"
    }()

    @Test(
        "Document types and entities are refused with their line",
        arguments: [
            ("\n" + bomb, 2, "the DOCTYPE has an internal subset, which is not allowed"),
            ("<!DOCTYPE plist \(apple) [ ]>\n<plist><true/></plist>", 1, "internal subset"),
            (
                "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><string>&x;</string></plist>", 1,
                "internal subset"
            ),
            (
                "\n\n<!DOCTYPE plist [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/\"> %p;]><plist><true/></plist>", 3,
                "internal subset"
            ),
            ("<!DOCTYPE plist \(apple)>\n<plist>\n<string>&x;</string></plist>", 3, "entity reference &x;"),
            ("<plist>\n<string>&nbsp;</string></plist>", 2, "entity reference &nbsp;"),
            ("<!DOCTYPE plist \(apple)>\n<plist a=\"&x;\"><true/></plist>", 2, "entity reference &x;"),
            ("<!DOCTYPE dict \(apple)><plist><true/></plist>", 1, "not that of a property list"),
            ("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\" []>\n<plist><true/></plist>", 1, "internal subset"),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>", 1,
                "encoded in UTF-16; convert it to UTF-8"
            ),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><plist><true/></plist>", 1, "encoded in ISO-8859-1"),
            ("<?xml version='1.0' encoding='US-ASCII'?>\n<plist><string>é</string></plist>", 2, "US-ASCII"),
            ("<plist>\n<string>\u{1}</string></plist>", 2, "control character U+0001"),
            ("<plist><true/>\n</plist>\u{0}<x/>", 2, "control character U+0000"),
            ("<plist>\n<string>\u{FFFF}</string></plist>", 2, "invalid XML"),
        ])
    func refuses(source: String, line: Int, reason: String) throws {
        let error = try failure(Data(source.utf8))
        #expect(error.location?.line == line)
        #expect(error.reason.contains(reason), "\(error)")
    }

    @Test(
        "A document type without a subset is read, and nothing that it names",
        arguments: [
            "", "SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\"",
            "PUBLIC \"-//GNUstep//DTD plist 0.9//EN\" \"http://www.gnustep.org/plist-0_9.xml\"",
            "PUBLIC '-//Apple Computer//DTD PLIST 1.0//EN' 'http://127.0.0.1:9/none.dtd'", "SYSTEM \"/dev/full\"",
        ])
    func ignoresExternalIdentifiers(identifier: String) throws {
        let source =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE plist \(identifier)>\n<plist><dict><key>a</key><true/></dict></plist>"
        let list = try document(text: source)
        #expect(try list.value(at: key("a")) == .bool(true))
        #expect(text(try list.setting(.bool(false), at: key("a"))) == source.replacing("<true/>", with: "<false/>"))
    }

    @Test(
        "Bytes in another encoding are refused",
        arguments: [
            ([0xFF, 0xFE, 0x3C, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x3C], "UTF-16"), ([0x3C, 0, 0x70, 0], "UTF-16"),
            ([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], "UTF-32"), ([0, 0, 0, 0x3C], "UTF-32"),
            (Array("<plist>".utf8) + [0xE9], "not UTF-8"), (Array("<plist>".utf8) + [0xED, 0xA0, 0x80], "not UTF-8"),
            (Array("<plist>".utf8) + [0xC0, 0x80], "not UTF-8"),
        ] as [([UInt8], String)])
    func refusesEncoding(bytes: [UInt8], reason: String) throws {
        let error = try failure(Data(bytes))
        #expect(error.reason.contains(reason), "\(error)")
        #expect(error.location == SourceLocation(line: 1, column: reason == "not UTF-8" ? 8 : 1))
    }

    @Test("64 levels are read, and more are refused")
    func limitsDepth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "<array>", count: levels - 1) + "<true/>"
                + String(repeating: "</array>", count: levels - 1)
        }
        #expect(throws: Never.self) { try document(nested(64)) }
        #expect(try failure(Data("<plist>\(nested(65))</plist>".utf8)).reason.contains("more than 64 levels deep"))
        #expect(try failure(Data("<plist>\(nested(100_000))</plist>".utf8)).reason.contains("more than 64 levels deep"))
    }

    @Test(
        "Documents of more bytes than are allowed are refused, before and after an edit, and large ones below are read")
    func limitsSize() throws {
        let large =
            "<plist version=\"1.0\"><dict><key>a</key><string>\(String(repeating: "x", count: 9_000_000))</string></dict></plist>"
        let source = Data(large.utf8)
        let document = try PropertyListDocument(source: source, maximumSize: source.count)
        #expect(document.root != .dictionary([:]))
        let edit = try #require(throws: PropertyListEditError.self) {
            try document.setting(.bool(true), at: FlagKeyPath(components: ["b"]))
        }
        #expect(edit.description.contains("the limit is \(source.count)"))
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListDocument(source: source, maximumSize: source.count - 1)
        }
        #expect(error.reason.contains("has \(source.count) bytes, and the limit is \(source.count - 1)"))
        #expect(PropertyListDocument.maximumSize == 268_435_456)
    }

    @Test("A manifest of 100,000 flags is read")
    func readsManyFlags() throws {
        let flags = (0..<100_000).map {
            "<dict><key>key</key><string>flag_\($0)</string><key>type</key><string>bool</string></dict>"
        }
        let text =
            "<plist version=\"1.0\"><dict><key>version</key><integer>1</integer><key>flags</key><array>\(flags.joined())</array></dict></plist>"
        #expect(try FlagManifest(source: Data(text.utf8)).definitions.count == 100_000)
    }
}
