import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Exports in other formats, and of some flags")
struct ExportTests {
    private static let data = Data("{\"a\":[null]}".utf8)

    private static let values = Project.plist(
        """
        <key>b</key><false/><key>i</key><integer>18446744073709551615</integer><key>r</key><real>2</real>
        <key>nan</key><real>nan</real><key>s</key><string>x &lt; "y"
        z</string><key>t</key><string>2026-01-31T12:00:00Z</string><key>d</key><data>AAEC/w==</data>
        <key>u</key><string>https://example.com/?a=1&amp;b=2</string><key>c</key><real>3</real>
        <key>g</key><dict><key>a</key><array><integer>1</integer><string>two</string></array>
        <key>m</key><dict><key>deep</key><dict><key>er</key><true/></dict></dict>
        <key>j</key><dict><key>k</key><array/></dict><key>jd</key><data>\(data.base64EncodedString())</data></dict>
        """)

    private static let manifest = Project.manifest([
        ("b", "bool", ""), ("i", "integer", ""), ("r", "double", ""), ("nan", "double", ""), ("s", "string", ""),
        ("t", "date", ""), ("d", "data", ""), ("u", "url", ""),
        ("c", "choice", "<key>choices</key><array><real>3</real><string>x</string></array>"), ("g/a", "array", ""),
        ("g/m", "dictionary", ""), ("g/j", "json", ""), ("g/jd", "json", "<key>storage</key><string>data</string>"),
        ("g/by_default", "integer", "<key>default</key><integer>4</integer>"),
    ])

    @Test("Values exported as JSON and imported into an empty file are the same values again")
    func roundTrip() async throws {
        let full = try Project(values: Self.values, manifest: Self.manifest)
        let json = try await full.service().exportedValues(as: .json).data
        let empty = try Project(values: Project.plist(""), manifest: Self.manifest)
        let service = try empty.service()
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .import)
        let plan = try await service.plan(try ImportedValues(json), mode: .replace, by: author)
        #expect(plan.changes.count == 13 && plan.entries.allSatisfy { $0.fate == .added })
        _ = try await service.apply(ChangeRequest(plan.changes, by: author))
        let before = try PropertyListDocument(source: Data(Self.values.utf8)).root
        let after = try PropertyListDocument(source: Data(contentsOf: empty.file)).root
        #expect(after == before)
        #expect(try await service.exportedValues(as: .json).data == json)
    }

    @Test("JSON holds no internal flag")
    func internalFlags() async throws {
        let project = try Project()
        let service = try project.service()
        for data in [
            try await service.exportedValues(as: .json).data, try await service.exportedEffectiveValues(as: .json).data,
            try #require(try await service.exportedManifest(as: .json)),
            try await service.exportedValues(only: [.of("hidden", "token"), .of("stray")], as: .json).data,
            try await service.exportedEffectiveValues(only: [.of("hidden", "token"), .of("stray")]).data,
        ] {
            let text = String(decoding: data, as: UTF8.self)
            #expect(
                !text.contains("hidden") && !text.contains("secret") && text.contains("stray") != text.contains("flags")
            )
        }
    }

    @Test("An export of some flags holds just these", arguments: ExportFormat.allCases)
    func someFlags(format: ExportFormat) async throws {
        let project = try Project()
        let service = try project.service()
        let keys: Set<FlagKeyPath> = [.of("checkout", "limit"), .of("checkout", "fast"), .of("options")]
        let stored = try ImportedValues(try await service.exportedValues(only: keys, as: format).data)
        let effective = try ImportedValues(try await service.exportedEffectiveValues(only: keys, as: format).data)
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .import)
        let storedKeys = try await service.plan(stored, mode: .merge, by: author).entries.map(\.key.text)
        let effectiveKeys = try await service.plan(effective, mode: .merge, by: author).entries.map(\.key.text)
        #expect(storedKeys.sorted() == ["checkout/limit", "options"])
        #expect(effectiveKeys.sorted() == ["checkout/fast", "checkout/limit", "options"])
    }

    private static let broken = Project.plist(
        """
        <key>twice</key><integer>1</integer><key>twice</key><integer>2</integer><key>typed</key><integer>x</integer>
        <key>mixed</key><string>a<b/>c</string><key>g</key><dict><key>list</key><array><date>soon</date></array>
        <key>whole</key><integer>7</integer></dict>
        <!-- sound -->
        <key>sound</key><string>yes</string>
        """)

    @Test("JSON has no text in place of a broken value, and the export names the cause")
    func brokenValuesInJSON() async throws {
        let project = try Project(values: Self.broken, manifest: nil)
        let service = try project.service()
        let (json, broken) = try await service.exportedValues(as: .json)
        #expect(try FlagJSON.document(json) == FlagJSON.document(#"{"g": {"whole": 7}, "sound": "yes"}"#))
        #expect(broken.count == 1)
        let problem = try #require(broken["Local"])
        #expect(problem.hasPrefix("mixed: ") && problem.hasSuffix("(and 3 more)"))
        let (some, none) = try await service.exportedValues(only: [.of("sound")], as: .json)
        #expect(try FlagJSON.document(some) == FlagJSON.document(#"{"sound": "yes"}"#) && none.isEmpty)
    }

    @Test("JSON has no text in place of a group that stands twice")
    func repeatedGroup() async throws {
        let group = "<key>g</key><dict><key>c</key><integer>1</integer></dict>"
        let project = try Project(
            values: Project.plist("<key>a</key><true/>\(group)\(group)"),
            manifest: Project.manifest([("g/c", "integer", "")]))
        let (json, broken) = try await project.service().exportedValues(as: .json)
        #expect(try FlagJSON.document(json) == FlagJSON.document(#"{"a": true}"#))
        #expect(broken["Local"]?.hasPrefix("g/c: ") == true && broken["Local"]?.hasSuffix("more)") == false)
        let outer = "<key>outer</key><dict>\(group)\(group)</dict><key>none</key><dict/>"
        let nested = try Project(values: Project.plist(outer), manifest: nil)
        let (other, faults) = try await nested.service().exportedValues(as: .json)
        #expect(try FlagJSON.document(other) == FlagJSON.document(#"{"none": {}}"#) && faults.count == 1)
    }

    @Test("Faults with the same text are named by the first flag all the same")
    func sameFaults() async throws {
        let soon = "<key>one</key><date>soon</date><key>two</key><date>soon</date>"
        let project = try Project(values: Project.plist(soon), manifest: nil)
        let problem = try #require(try await project.service().exportedValues(as: .json).broken["Local"])
        #expect(problem.hasPrefix("one: ") && problem.hasSuffix("(and 1 more)"))
    }

    @Test("A property list of some flags has the bytes of their broken values, each entry and comment")
    func brokenValuesAsBytes() async throws {
        let project = try Project(values: Self.broken, manifest: nil)
        let service = try project.service()
        let (all, none) = try await service.exportedValues()
        #expect(String(decoding: all, as: UTF8.self) == Self.broken && none.isEmpty)
        let (some, _) = try await service.exportedValues(only: [.of("twice"), .of("mixed"), .of("sound")])
        let text = String(decoding: some, as: UTF8.self)
        for kept in [
            "<key>twice</key><integer>1</integer>", "<key>twice</key><integer>2</integer>", "<string>a<b/>c</string>",
            "<!-- sound -->\n<key>sound</key><string>yes</string>",
        ] { #expect(text.contains(kept)) }
        for gone in ["typed", "<key>list", "whole"] { #expect(!text.contains(gone)) }
    }
}
