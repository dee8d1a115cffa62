import FeatureFlags
import FlagChanges
import FlagCode
import Foundation
import Testing

@testable import Flagboard

/// What the snippets below say, so that the compiler proves that they are Swift: see ``SwiftSnippetTests/compiled(entry:)``.
private struct Declared: FlagCollectionProtocol {
    @Flag(default: false, description: "")
    var newFlow: Bool

    @Flag(
        name: "Retries",
        key: "maxRetries",
        default: 3,
        description: "Say \"how often\"\nto try"
    )
    var maxRetries: Int

    @Flag(
        default: 0.5,
        description: FlagMetadata(description: "d", isLocked: true)
    )
    var ratio: Double

    @Flag(
        default: ["north", "south"],
        description: FlagMetadata(description: "", tags: ["a", "b"], owner: "Team")
    )
    var regions: [String]

    @Flag(
        default: false,
        description: FlagMetadata(
            description: "Replaces the four checkout pages",
            requiresRestart: true,
            tags: ["checkout", "rollout"]
        )
    )
    var onePage: Bool

    @Flag(default: ["a": 1, "b": 2], description: "")
    var weights: [String: Int]

    // Kept in the manifest: minimum 1, maximum 9.5
    @Flag(
        default: 2.0,
        description: FlagMetadata(
            description: "",
            order: 3,
            uiIcon: "dial",
            expires: Date(timeIntervalSince1970: 86400.0),
            retired: "gone"
        )
    )
    var pace: Double

    @Flag(description: "")
    var quotas: [String: Double]?

    // swift-format-ignore: NeverForceUnwrap
    @Flag(default: URL(string: "https://a.example/")!, description: "")
    var endpoint: URL

    // swift-format-ignore: NeverForceUnwrap
    @Flag(default: Data(base64Encoded: "AAE=")!, description: "")
    var blob: Data

    @Flag(
        default: Date(timeIntervalSince1970: 86400.0),
        description: ""
    )
    var launch: Date

    // swift-format-ignore: NeverForceUnwrap
    @Flag(
        default: JSONData(jsonString: "{ \"columns\": 2 }")!,
        description: ""
    )
    var layout: JSONData

    @Flag(description: "")
    var motd: String?

    @Flag(key: "2 fast", default: true, description: "")
    var flag2Fast: Bool

    @Flag(default: true, description: "")
    var `default`: Bool
}

private enum Choices {
    enum Theme: String, CaseIterable, FlagProtocol {
        case light
        case darkMode = "dark mode"
        case choice2 = "2"
    }

    enum PageSize: Int, CaseIterable, FlagProtocol {
        case value10 = 10
        case minus25 = -25
    }

    struct Declared: FlagCollectionProtocol {
        @Flag(default: .darkMode, description: "")
        var theme: Theme

        @Flag(default: .value10, description: "")
        var pageSize: PageSize
    }
}

@Suite("Declarations in Swift")
struct SwiftSnippetTests {
    private static let source: String = {
        let text = (try? String(contentsOfFile: #filePath, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }()

    private static let entries: [FlagEntry] = [
        Samples.entry("new_flow", .bool, default: .bool(false)),
        Samples.entry(
            "maxRetries", .integer, default: .integer(3),
            metadata: FlagMetadata(name: "Retries", description: "Say \"how often\"\nto try")),
        Samples.entry(
            "ratio", .double, default: .double(0.5), metadata: FlagMetadata(description: "d", isLocked: true)),
        Samples.entry(
            "regions", .array, default: .array([.string("north"), .string("south")]),
            metadata: FlagMetadata(tags: ["a", "b"], owner: "Team")),
        Samples.entry(
            "one_page", .bool, default: .bool(false),
            metadata: FlagMetadata(
                description: "Replaces the four checkout pages", requiresRestart: true, tags: ["checkout", "rollout"])),
        Samples.entry("weights", .dictionary, default: .dictionary(["b": .integer(2), "a": .integer(1)])),
        Samples.entry(
            "pace", .double, default: .double(2), constraints: FlagConstraints(minimum: 1, maximum: 9.5),
            metadata: FlagMetadata(
                order: 3, uiIcon: "dial", expires: Date(timeIntervalSince1970: 86_400), retired: "gone")),
        Samples.entry("quotas", .dictionary, stored: .dictionary(["a": .double(0.5)])),
        Samples.entry("endpoint", .url, default: .string("https://a.example/")),
        Samples.entry("blob", .data, default: .data(Data([0, 1]))),
        Samples.entry("launch", .date, default: .date(Date(timeIntervalSince1970: 86_400))),
        Samples.entry("layout", .json, default: .dictionary(["columns": .integer(2)])),
        Samples.entry("motd", .string), Samples.entry("2 fast", .bool, default: .bool(true)),
        Samples.entry("default", .bool, default: .bool(true)),
        Samples.entry(
            "theme", .choice, default: .string("dark mode"),
            constraints: FlagConstraints(choices: [.string("light"), .string("dark mode"), .string("2")])),
        Samples.entry(
            "page_size", .choice, default: .integer(10),
            constraints: FlagConstraints(choices: [.integer(10), .integer(-25)])),
    ]

    @Test("The declaration of a flag is Swift that the library takes", arguments: entries)
    func compiled(entry: FlagEntry) throws {
        let snippet = try #require(SwiftSnippet(entry).text)
        for part in snippet.components(separatedBy: "\n\n") {
            let lines = part.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(Self.source.contains(lines.joined(separator: "\n")), "\(snippet)")
        }
    }

    @Test("The declared properties have the key paths of the flags that they were made from")
    func keys() {
        let manager = FlagsManager(providers: [])
        let declared = manager.addCollection(Declared.self)
        #expect(declared.$newFlow.keyPath.text == "new_flow" && declared.$maxRetries.keyPath.text == "maxRetries")
        #expect(declared.$flag2Fast.keyPath.text == "2 fast" && declared.$default.keyPath.text == "default")
    }

    @Test("A flag in a group says which, and what can't be seen in a text is written out")
    func details() throws {
        let nested = try #require(SwiftSnippet(Samples.entry("shop/cart/on", .bool, default: .bool(true))).text)
        #expect(nested.hasPrefix("// In the collection whose key path is \"shop/cart\":\n@Flag(default: true, "))
        #expect(SwiftText.literal("a\u{202E}\"\\\(1)\r\u{0}") == #""a\u{202e}\"\\1\r\u{0}""#)
        #expect(SwiftText.literal("\\(x)") == #""\\(x)""#)
    }

    @Test("Where no type holds the default, there is no declaration")
    func none() {
        let mixed = FlagValue.array([.integer(1), .string("a")])
        #expect(SwiftSnippet(Samples.entry("a", .array, default: mixed)).text == nil)
        #expect(SwiftSnippet(Samples.entry("j", .json, default: .array([.integer(1)]))).text == nil)
        #expect(SwiftSnippet(Samples.entry("c", .choice)).text == nil)
    }
}
