import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("Fields of a manifest that Flagboard does not know")
struct UnknownFieldTests {
    private func fields(
        flag: [String: FlagValue] = [:], collection: [String: FlagValue] = [:], root: [String: FlagValue] = [:]
    ) throws -> [UnknownField] {
        let flags: FlagValue = .array([
            .dictionary(["key": .string("a"), "type": .string("bool")].merging(flag) { $1 })
        ])
        let collections: FlagValue = .array([.dictionary(["key": .string("g")].merging(collection) { $1 })])
        let document = try PropertyListDocument(
            root: .dictionary(
                ["version": .integer(1), "flags": flags, "collections": collections].merging(root) { $1 }))
        return try FlagManifest(document: document).unknownFields
    }

    @Test(
        "A name that somebody likely wrote for a known one is told with that",
        arguments: [
            ("islocked", "isLocked"), ("IsLocked", "isLocked"), ("is_locked", "isLocked"), ("locked", "isLocked"),
            ("isLoked", "isLocked"), ("isUILocked", "isLocked"), ("readOnly", "isLocked"), ("isIntenal", "isInternal"),
            ("internal", "isInternal"), ("hidden", "isInternal"), ("requireRestart", "requiresRestart"),
            ("requiersRestart", "requiresRestart"), ("defualt", "default"), ("patern", "pattern"), ("max", "maximum"),
            ("tag", "tags"), ("nmae", "name"), ("descripton", "description"), ("expire", "expires"),
            ("userinfo", "userInfo"), ("choice", "choices"), ("Type", "type"),
            ("storge", "storage"),
        ])
    func likely(name: String, known: String) throws {
        let found = try fields(flag: [name: .bool(true)])
        #expect(found.map(\.name) == [name])
        #expect(found.map(\.intention) == [.field(known)])
        #expect(found.map(\.owner) == [.flag(FlagKeyPath(components: ["a"]))])
    }

    @Test(
        "A name of its own is told as that",
        arguments: [
            "jira", "note", "team", "link", "since", "ticket", "status", "contact", "rollout", "code", "category",
            "x", "", "é", "label", "bundle", "url", String(repeating: "isLocked", count: 100),
        ])
    func own(name: String) throws {
        #expect(try fields(flag: [name: .string("x")]).map(\.intention) == [nil])
    }

    @Test("Whoever wrote the known field beside a like one means two, unless they differ in how they are written alone")
    func besideKnown() throws {
        let found = try fields(
            flag: [
                "owner": .string("web"), "owners": .array([]), "isLocked": .bool(false), "islocked": .bool(true),
                "min": .integer(1), "type": .string("integer"), "minimum": .integer(1),
            ])
        #expect(found.map(\.name) == ["islocked", "min", "owners"])
        #expect(found.map(\.intention) == [.field("isLocked"), nil, nil])
    }

    @Test("A group's field that only flags have is told as that")
    func collections() throws {
        let found = try fields(
            collection: [
                "isLocked": .bool(true), "isintenal": .bool(true), "ordre": .integer(1), "jira": .integer(1),
                "icon": .string("cart"), "isSecton": .bool(true),
            ])
        #expect(found.map(\.name) == ["isLocked", "isSecton", "isintenal", "jira", "ordre"])
        #expect(
            found.map(\.intention) == [
                .fieldOfFlags("isLocked"), .field("isSection"), .fieldOfFlags("isInternal"), nil, .field("order"),
            ])
        #expect(found.allSatisfy { $0.owner == .collection(FlagKeyPath(components: ["g"])) })
    }

    @Test("So is a misspelt array of the manifest itself, whose flags are none")
    func root() throws {
        let found = try fields(root: ["Flags": .array([]), "collection": .array([]), "generator": .string("x")])
        #expect(found.map(\.name) == ["Flags", "collection", "generator"])
        #expect(found.map(\.intention) == [.field("flags"), nil, nil])
    }

    @Test("Each is found where it stands")
    func location() throws {
        let source = """
            <plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array>
            <dict><key>key</key><string>a</string><key>type</key><string>bool</string>
            <key>islocked</key>
              <true/></dict>
            </array></dict></plist>
            """
        let manifest = try FlagManifest(source: Data(source.utf8))
        let field = try #require(manifest.unknownFields.first)
        #expect(manifest.location(of: field)?.description == "line 4, column 3")
    }

    @Test("A field of a schema that is likely misspelled is named with the way there")
    func schemas() throws {
        let source = manifestSource(
            flags: """
                <dict><key>key</key><string>a</string><key>type</key><string>json</string><key>properties</key><dict>
                <key>size</key><dict><key>typ</key><string>integer</string><key>items</key><dict/></dict></dict></dict>
                """)
        #expect(throws: FlagManifestError.self) { try FlagManifest(source: source) }
        let sound = String(decoding: source, as: UTF8.self).replacing("<key>items</key><dict/>", with: "")
        let manifest = try FlagManifest(source: Data(sound.utf8))
        let field = try #require(manifest.unknownFields.first)
        #expect(field.name == "properties/size/typ" && field.intention == .field("type"))
        #expect(manifest.location(of: field) != nil && manifest.unknownFields.count == 1)
    }

    @Test("Whatever a definition can say is a known field")
    func allKnown() throws {
        let metadata = FlagMetadata(
            name: "n", description: "d", order: 1, isInternal: true, uiIcon: "i", isLocked: true, requiresRestart: true,
            tags: ["t"], owner: "o", expires: Date(timeIntervalSince1970: 0), userInfo: ["u": .bool(true)],
            retired: "r")
        let number = FlagDefinition(
            key: FlagKeyPath(components: ["g", "n"]), type: .integer, defaultValue: .integer(2),
            suggestions: [.integer(3)], constraints: FlagConstraints(minimum: 1, maximum: 5, format: .int8),
            metadata: metadata, isOptional: true, computed: .value, excludedProviders: ["Local"],
            group: FlagKeyPath(components: ["o"]))
        let text = FlagDefinition(
            key: FlagKeyPath(components: ["g", "t"]), type: .string, constraints: FlagConstraints(pattern: "x"))
        let choice = FlagDefinition(
            key: FlagKeyPath(components: ["g", "c"]), type: .choice,
            constraints: FlagConstraints(choices: [.string("a")]))
        let part = FlagSchema(type: .integer)
        let json = FlagDefinition(
            key: FlagKeyPath(components: ["g", "j"]), type: .json,
            constraints: FlagConstraints(items: part, properties: ["p": part]), storage: .data)
        let group = FlagCollectionDefinition(
            key: FlagKeyPath(components: ["g"]), name: "n", description: "d", order: 1, icon: "cart",
            isSection: true)
        let manifest = try FlagManifest(definitions: [number, text, choice, json], collections: [group])
        #expect(manifest.unknownFields.isEmpty)
        let said = [number, text, choice, json].reduce(into: Set<String>()) { $0.formUnion($1.manifestEntry.keys) }
        #expect(said == UnknownField.Owner.flag(number.key).knownNames)
        #expect(Set(group.manifestEntry.keys) == UnknownField.Owner.collection(group.key).knownNames)
    }
}
