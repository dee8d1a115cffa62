import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Group: FlagCollectionProtocol {
    @Flag(default: true, description: "In a group")
    var first: Bool
}

private struct OtherGroup: FlagCollectionProtocol {
    @Flag(default: true, description: "In a group of the same name")
    var second: Bool
}

private struct Sharing: FlagCollectionProtocol {
    @FlagCollection(description: "")
    var checkout: Group

    @FlagCollection(key: "checkout", description: FlagMetadata(description: "All of paying", order: 2))
    var other: OtherGroup
}

private struct Keyed: FlagCollectionProtocol {
    @FlagCollection(key: "inner", keyConfiguration: .skip, description: "Has a key")
    var outer: Group
}

/// A type that says nothing of its stored form.
private struct Opaque: FlagProtocol {
    init?(encoded value: FlagValue) { nil }

    func encoded() -> FlagValue { .bool(true) }
}

private struct Odd: FlagCollectionProtocol {
    enum Mode: String, CaseIterable, FlagProtocol { case on, off }

    @Flag(default: .distantPast, description: "Can't be stored")
    var past: Date
    @Flag(default: "a\u{1}b", description: "No XML text")
    var control: String
    @Flag(description: "Nothing says what it is")
    var opaque: Opaque?
    @Flag(default: 1, description: "As any other")
    var number: Int
    @Flag(default: .string("any"), description: "Of any kind")
    var any: FlagValue
}

private func entry(_ key: String, _ type: String, _ more: String = "") -> String {
    "<dict><key>key</key><string>\(key)</string><key>type</key><string>\(type)</string>\(more)</dict>"
}

@Suite("Manifests updated from code")
struct ManifestUpdatingTests {
    private func updated(
        _ definition: FlagDefinition, from entries: String...
    ) throws -> [FlagDefinition] {
        let existing = try FlagManifest(source: manifestSource(flags: entries.joined()))
        return try FlagManifest(definitions: [definition], updating: existing).definitions
    }

    @Test("A flag that became a group, or a group that became a flag, is replaced")
    func groups() throws {
        let below = FlagDefinition(key: try key("checkout/fee"), type: .integer)
        #expect(
            try updated(below, from: entry("checkout", "bool"), entry("other", "bool")).map(\.key.text)
                == ["other", "checkout/fee"])
        let above = FlagDefinition(key: try key("checkout"), type: .bool)
        #expect(
            try updated(above, from: entry("checkout/fee", "integer"), entry("checkout_two", "bool")).map(\.key.text)
                == ["checkout_two", "checkout"])
    }

    @Test("A default, a type and choices that the code dropped are gone")
    func dropped() throws {
        let old = entry(
            "flag", "integer",
            "<key>default</key><integer>5</integer><key>minimum</key><integer>1</integer><key>owner</key><string>Ann</string>"
        )
        let text = try #require(updated(FlagDefinition(key: key("flag"), type: .string), from: old).first)
        #expect(text.type == .string && text.defaultValue == nil && text.constraints == FlagConstraints())
        #expect(text.metadata.owner == "Ann")
        let number = try #require(updated(FlagDefinition(key: key("flag"), type: .integer), from: old).first)
        #expect(number.defaultValue == nil && number.constraints.minimum == 1)
        let choice = entry(
            "flag", "choice", "<key>choices</key><array><string>a</string></array><key>default</key><string>a</string>")
        let free = try #require(
            updated(FlagDefinition(key: key("flag"), type: .string, defaultValue: .string("b")), from: choice).first)
        #expect(free.type == .string && free.constraints.choices.isEmpty && free.defaultValue == .string("b"))
    }

    @Test(
        "A limit that somebody added stays as long as it allows the code's default, and the code has none of its own",
        arguments: [(5, nil, 1), (0, nil, nil), (5, 3, 3)] as [(Int, FlagLimit?, FlagLimit?)])
    func limits(value: Int, minimum: FlagLimit?, kept: FlagLimit?) throws {
        let definition = FlagDefinition(
            key: try key("flag"), type: .integer, defaultValue: .integer(Int128(value)),
            constraints: FlagConstraints(minimum: minimum))
        let old = entry("flag", "integer", "<key>minimum</key><integer>1</integer>")
        #expect(try updated(definition, from: old).first?.constraints.minimum == kept)
    }

    @Test("Suggestions that somebody added stay as long as the code has none of its own and they are allowed")
    func suggestions() throws {
        let old = entry(
            "flag", "integer", "<key>suggestions</key><array><integer>1</integer><integer>9</integer></array>")
        func kept(_ definition: FlagDefinition) throws -> [FlagValue]? {
            try updated(definition, from: old).first?.suggestions
        }
        let key = try key("flag")
        #expect(try kept(FlagDefinition(key: key, type: .integer)) == [1, 9])
        #expect(try kept(FlagDefinition(key: key, type: .integer, suggestions: [2])) == [2])
        #expect(try kept(FlagDefinition(key: key, type: .string)) == [])
        #expect(try kept(FlagDefinition(key: key, type: .integer, constraints: FlagConstraints(maximum: 5))) == [])
        let limited = entry("flag", "integer", "<key>minimum</key><integer>5</integer>")
        let offered = try #require(
            updated(FlagDefinition(key: key, type: .integer, suggestions: [2]), from: limited).first)
        #expect(offered.suggestions == [2] && offered.constraints.minimum == nil)
    }

    @Test("What is attached to a flag is replaced by what the code attaches, and stays where it attaches nothing")
    func userInfo() throws {
        let old = entry("flag", "bool", "<key>userInfo</key><dict><key>a</key><integer>1</integer></dict>")
        let key = try key("flag")
        func kept(_ userInfo: [String: FlagValue]) throws -> [String: FlagValue]? {
            try updated(
                FlagDefinition(key: key, type: .bool, metadata: FlagMetadata(userInfo: userInfo)), from: old
            ).first?.metadata.userInfo
        }
        #expect(try kept([:]) == ["a": 1])
        #expect(try kept(["b": 2]) == ["b": 2])
    }

    @Test("A suggestion or an entry of the userInfo that no manifest can hold is left out and reported")
    func oddSuggestions() throws {
        let manager = FlagsManager(providers: [])
        try manager.register(
            Flag(
                key: "date", default: Date(timeIntervalSince1970: 0),
                suggestions: [.distantPast, Date(timeIntervalSince1970: 9)], description: "No year 1"))
        try manager.register(
            Flag(key: "mode", default: .on, suggestions: [Odd.Mode.off], description: "Offers its cases anyway"))
        try manager.register(
            Flag(
                key: "text", suggestions: ["a\u{1}b", "c", "c"],
                description: FlagMetadata(userInfo: ["bad": "\u{2}", "good": 1])))
        try manager.register(Flag<Int?>(key: "none", suggestions: [nil, 2], description: "Nothing is no value"))
        let definitions = try manager.manifest().definitions
        #expect(definitions.map(\.key.text) == ["date", "mode", "text", "none"])
        #expect(definitions.map(\.suggestions) == [[.date(Date(timeIntervalSince1970: 9))], [], ["c"], [2]])
        #expect(definitions[2].metadata.userInfo == ["good": 1])
        #expect(
            manager.diagnostics.current.map { "\($0.flag?.text ?? "") \($0.kind)" } == [
                "date unusableSuggestion", "mode unusableSuggestion", "none unusableSuggestion",
                "text unstorableUserInfo", "text unusableSuggestion",
            ])
    }

    @Test("Groups of one key path have one entry, with what any of them says")
    func sharedGroup() throws {
        let manager = FlagsManager(providers: [])
        manager.addCollection(Sharing.self)
        let manifest = try manager.manifest()
        #expect(manifest.definitions.map(\.key.text) == ["checkout/first", "checkout/second"])
        #expect(
            manifest.collections == [
                FlagCollectionDefinition(
                    key: try key("checkout"), name: "Checkout", description: "All of paying", order: 2)
            ])
    }

    @Test("A group with a key has an entry, whatever its key configuration")
    func keyedGroup() throws {
        let manager = FlagsManager(providers: [])
        manager.addCollection(Keyed.self)
        let manifest = try manager.manifest()
        #expect(manifest.definitions.map(\.key.text) == ["inner/first"])
        #expect(manifest.collections.map(\.key.text) == ["inner"])
    }

    @Test("A default or a flag that no manifest can hold is left out and reported, and the others are written")
    func odd() throws {
        let manager = FlagsManager(providers: [])
        manager.addCollection(Odd.self)
        let manifest = try manager.manifest()
        #expect(manifest.definitions.map(\.key.text) == ["past", "control", "number", "any"])
        #expect(manifest.definitions.map(\.type) == [.date, .string, .integer, .string])
        #expect(manifest.definitions.map(\.defaultValue) == [nil, nil, .integer(1), .string("any")])
        #expect(manager.diagnostics.current.map(\.flag?.text) == ["control", "opaque", "past"])
        #expect(
            manager.diagnostics.current.map(\.kind) == [.unstorableDefault, .unknownType, .unstorableDefault])
    }

    @Test("What others write to the manifest meanwhile is not lost", .timeLimit(.minutes(10)))
    func concurrentEdits() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.manifest.xml")
        try manifestSource(flags: "").write(to: url)
        let managers = (0..<24).map { number in
            let manager = FlagsManager(providers: [])
            manager.addCollection(Sharing.self)
            return (number, manager)
        }
        try await withThrowingTaskGroup { group in
            for (number, manager) in managers {
                try manager.register(Flag(key: "own\(number)", default: number, description: "Its own"))
                group.addTask { try manager.writeManifest(to: url) }
            }
            try await group.waitForAll()
        }
        let keys = try FlagManifest(source: Data(contentsOf: url)).definitions.map(\.key.text)
        #expect(Set(keys) == Set(["checkout/first", "checkout/second"] + (0..<24).map { "own\($0)" }))
        #expect(try folder.names == ["flags.manifest.xml"])
    }
}
