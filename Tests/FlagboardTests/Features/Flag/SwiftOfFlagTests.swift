import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagCode
import Foundation
import Testing

@testable import Flagboard

@Suite("A flag's page in Swift")
struct SwiftOfFlagTests {
    private static let definitions: [FlagDefinition] = [
        FlagDefinition(key: Samples.key("new_flow"), type: .bool, defaultValue: .bool(false)),
        FlagDefinition(
            key: Samples.key("shop/maxRetries"), type: .integer, defaultValue: .integer(3),
            constraints: FlagConstraints(minimum: 1, maximum: 9),
            metadata: FlagMetadata(name: "Retries", description: "Say \"how often\"\nto try")),
        FlagDefinition(
            key: Samples.key("theme"), type: .choice, defaultValue: .string("dark mode"),
            constraints: FlagConstraints(choices: [.string("light"), .string("dark mode"), .string("2")])),
        FlagDefinition(
            key: Samples.key("self"), type: .array, defaultValue: .array([.integer(1), .string("a")]),
            metadata: FlagMetadata(tags: ["a", "b"], owner: "Team")),
        FlagDefinition(
            key: Samples.key("endpoint"), type: .url, defaultValue: .string("https://a.example/"),
            metadata: FlagMetadata(retired: "gone")),
        FlagDefinition(key: Samples.key("2 fast"), type: .json, defaultValue: .dictionary(["a": .integer(1)])),
        FlagDefinition(
            key: Samples.key("motd"), type: .string, metadata: FlagMetadata(expires: Date(timeIntervalSince1970: 0))),
    ]

    @Test("It is what flagboard generate swift makes of the flag", arguments: definitions)
    func agrees(definition: FlagDefinition) throws {
        let manifest = try FlagManifest(definitions: Self.definitions, collections: [])
        let generated = SwiftSource(manifest, typeName: "ShopFlags", access: "internal", date: Samples.now).text
        let lines = Set(generated.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let snippet = SwiftFlag.source(of: definition, on: Samples.now)
        let own = snippet.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let place = "// In the collection whose key path is "
        #expect(own.filter { !lines.contains($0) && !$0.hasPrefix(place) } == [], "\(generated)")
        #expect(own.count > 3 && own.contains { $0.hasPrefix("var ") })
        #expect(own.contains { $0.hasPrefix(place) } == (definition.key.components.count > 1))
    }

    @Test("What can't be seen in a text is written out")
    func unseen() {
        #expect(SwiftText.literal("a\u{202E}\"\\\(1)\r\u{0}") == #""a\u{202e}\"\\1\r\u{0}""#)
        #expect(SwiftText.literal("\\(x)") == #""\\(x)""#)
    }

    @Test(
        "A file is saved by a name that every system takes",
        arguments: [("new_flow", "newFlow"), ("Ünï x", "nX"), ("2 fast", "data2Fast"), ("∑", "data")])
    func downloadName(text: String, name: String) {
        #expect(DownloadName.plain(text, or: "data") == name)
    }
}
