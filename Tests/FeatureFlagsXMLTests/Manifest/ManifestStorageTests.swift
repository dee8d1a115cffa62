import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Layout: Codable, Hashable, FlagProtocol { var columns = 1 }

private struct PageFlags: FlagCollectionProtocol {
    @Flag(description: "A Codable type without a default")
    var layout: Layout?

    @Flag(default: JSONData(["a": 1]), description: "A dictionary, as RealFlags stores it")
    var json: JSONData

    @Flag(default: Date(timeIntervalSince1970: 0), description: "Text, as RealFlags stores it")
    var since: Date
}

@Suite("The layout that a manifest names")
struct ManifestStorageTests {
    private func flag(_ type: String, _ storage: String) -> String {
        "<dict><key>key</key><string>a</string><key>type</key><string>\(type)</string>"
            + "<key>storage</key>\(storage)</dict>"
    }

    @Test(
        "A manifest's layout is read, and written again",
        arguments: [("json", "data"), ("json", "dictionary"), ("date", "string"), ("date", "date")])
    func reads(type: String, storage: String) throws {
        let manifest = try FlagManifest(source: manifestSource(flags: flag(type, "<string>\(storage)</string>")))
        let definition = try #require(manifest.definitions.first)
        #expect(definition.storage?.rawValue == storage)
        #expect(definition.manifestEntry["storage"] == .string(storage))
        #expect(try FlagManifest(definitions: [definition]).definitions == [definition])
    }

    @Test(
        "A layout that the type has not is refused with those that it has",
        arguments: [
            (
                "json", "<string>date</string>",
                "\"date\" is not a valid storage for the type json; expected dictionary or data"
            ),
            (
                "date", "<string>text</string>",
                "\"text\" is not a valid storage for the type date; expected string or date"
            ),
            ("bool", "<string>data</string>", "only a json or a date can have one, and the type is bool"),
            ("json", "<integer>1</integer>", "found integer 1, expected a string"),
        ])
    func refuses(type: String, storage: String, reason: String) throws {
        let error = try #require(throws: FlagManifestError.self) {
            try FlagManifest(source: manifestSource(flags: flag(type, storage)))
        }
        #expect(error.problems.map(\.field) == ["storage"])
        #expect(error.problems.map(\.reason) == [reason])
    }

    @Test("Code names the layout of a Codable type, and leaves one that somebody added to other types")
    func declared() throws {
        let manager = FlagsManager(providers: [])
        manager.addCollection(PageFlags.self)
        let written = try manager.manifest()
        #expect(written.definitions.map(\.storage) == [.data, nil, nil])
        let existing = try FlagManifest(
            definitions: written.definitions.map { definition in
                var definition = definition
                if definition.type == .date { definition.storage = .date }
                return definition
            })
        let updated = try FlagManifest(definitions: written.definitions, updating: existing)
        #expect(updated.definitions.map(\.storage) == [.data, nil, .date])
    }
}
