import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct ScrollFlags: FlagCollectionProtocol {
    @Flag(description: "Scroll without end") var infiniteScroll: Bool
    @Flag(description: "") var bounce: Bool
}

private struct ListFlags: FlagCollectionProtocol {
    @Flag(description: "") var rows: Bool
    @FlagCollection(keyConfiguration: .skip, description: "How lists scroll") var scrolling: ScrollFlags
    @FlagCollection(description: FlagMetadata(description: "", isInternal: true)) var secret: SecretFlags
}

private struct SecretFlags: FlagCollectionProtocol {
    @Flag(description: "") var hidden: Bool
}

private struct ShopFlags: FlagCollectionProtocol {
    @Flag(description: "") var zebra: Bool
    @FlagCollection(keyConfiguration: .skip, description: "Lists") var theLists: ListFlags
    @FlagCollection(description: "Delivery") var delivery: DeliveryFlags
    @Flag(description: "") var apple: Bool
}

private struct DeliveryFlags: FlagCollectionProtocol {
    @Flag(description: "") var fee: Bool
    @FlagCollection(keyConfiguration: .skip, description: "Trials") var trials: TrialFlags
}

private struct TrialFlags: FlagCollectionProtocol {
    @Flag(description: "") var drones: Bool
}

private struct HomeFlags: FlagCollectionProtocol {
    @FlagCollection(
        description: FlagMetadata(description: "Goods", uiIcon: "shippingbox"), uiRepresentation: .asSection)
    var goods: TrialFlags
    @FlagCollection("Users") var users: TrialFlags
}

private enum One {
    struct Flags: FlagCollectionProtocol { @Flag("") var first = false }
}

private enum Two {
    struct Flags: FlagCollectionProtocol { @Flag("") var second = false }
}

@Suite("The groups that code declares reach the manifest")
struct DeclaredGroupsTests {
    private func manager(prefix: String? = nil) -> FlagsManager {
        FlagsManager(providers: [InMemoryProvider()], keyConfiguration: KeyConfiguration(prefix: prefix))
    }

    /// The flags, each with its group if it has one of its own, in the order of the manifest.
    private func places(_ manifest: FlagManifest) throws -> [String] {
        try FlagManifest(source: manifest.document.source).definitions.map { definition in
            definition.group.map { "\(definition.key) in \($0)" } ?? definition.key.text
        }
    }

    @Test("A group that adds nothing to key paths is the group of its flags, and no other flag has one of its own")
    func skippedGroups() throws {
        let manager = manager()
        manager.addCollection(ShopFlags.self)
        let manifest = try manager.manifest()
        #expect(
            try places(manifest) == [
                "zebra", "rows in the_lists", "infinite_scroll in the_lists/scrolling",
                "bounce in the_lists/scrolling", "secret/hidden in the_lists/secret", "delivery/fee in delivery",
                "delivery/drones in delivery/trials", "apple",
            ])
        #expect(
            manifest.collections.map { "\($0.key): \($0.displayName), \($0.description)" } == [
                "the_lists: The Lists, Lists", "the_lists/scrolling: Scrolling, How lists scroll",
                "delivery: Delivery, Delivery", "delivery/trials: Trials, Trials",
            ])
        #expect(manifest.unknownFields.isEmpty)
    }

    @Test("A prefix of key paths is the outermost group")
    func prefix() throws {
        let manager = manager(prefix: "shop")
        manager.addCollection(ListFlags.self)
        #expect(
            try places(manager.manifest()) == [
                "shop/rows in shop", "shop/infinite_scroll in shop/scrolling", "shop/bounce in shop/scrolling",
                "shop/secret/hidden",
            ])
    }

    @Test("Several collections are the outermost groups, with their names, descriptions and orders")
    func collections() throws {
        let manager = manager(prefix: "app")
        manager.addCollection(
            ScrollFlags.self, description: FlagMetadata(name: "Scrolling", description: "Tried now", order: 1))
        manager.addCollection(DeliveryFlags.self)
        try manager.register(Flag<Bool>(key: "late", default: false, description: ""))
        let manifest = try manager.manifest()
        #expect(
            try places(manifest) == [
                "app/infinite_scroll in scroll_flags", "app/bounce in scroll_flags", "app/fee in delivery_flags",
                "app/drones in delivery_flags/trials", "app/late in app",
            ])
        #expect(
            manifest.collections.map { "\($0.key): \($0.displayName), \($0.description), \($0.order ?? 0)" } == [
                "scroll_flags: Scrolling, Tried now, 1", "delivery_flags: Delivery Flags, , 0",
                "delivery_flags/trials: Trials, Trials, 0",
            ])
    }

    @Test("Collections whose types have the same name are groups of their own")
    func namesakes() throws {
        let manager = manager()
        manager.addCollection(One.Flags.self, description: "The first")
        manager.addCollection(Two.Flags.self, description: "The second")
        let manifest = try manager.manifest()
        #expect(try places(manifest) == ["first in flags", "second in flags_2"])
        #expect(
            manifest.collections.map { "\($0.key): \($0.displayName), \($0.description)" } == [
                "flags: Flags, The first", "flags_2: Flags 2, The second",
            ])
    }

    @Test("A group's icon, and whether it is a section, are in the manifest and stay when it is updated")
    func looks() throws {
        func looks(_ manifest: FlagManifest) throws -> [String] {
            try FlagManifest(source: manifest.document.source).collections.map {
                "\($0.key): \($0.icon ?? "none")\($0.isSection ? ", a section" : "")"
            }
        }
        let manager = manager()
        manager.addCollection(
            HomeFlags.self, description: FlagMetadata(description: "The first page", uiIcon: "house"))
        let manifest = try manager.manifest()
        let expected = [
            "home_flags: house", "home_flags/goods: shippingbox, a section", "home_flags/users: none",
        ]
        #expect(try looks(manifest) == expected)
        #expect(manifest.unknownFields.isEmpty)
        #expect(try looks(manager.manifest(updating: manifest)) == expected)
        let text = String(decoding: manifest.document.source, as: UTF8.self)
        let named = try FlagManifest(
            source: Data(text.replacing("<string>house</string>", with: "<string>bed</string>").utf8))
        #expect(named.collections.first?.icon == "bed")
        let wrong = Data(text.replacing("<string>house</string>", with: "<true/>").utf8)
        #expect(throws: FlagManifestError.self) { try FlagManifest(source: wrong) }
    }

    @Test("A collection alone is a group only with a name or a description")
    func oneCollection() throws {
        let plain = FlagsLoader(TrialFlags.self, providers: [InMemoryProvider()])
        #expect(try places(plain.manifest()) == ["drones"])
        let described = FlagsLoader(
            TrialFlags.self, description: FlagMetadata(description: "Tried now"), providers: [InMemoryProvider()])
        #expect(try places(described.manifest()) == ["drones in trial_flags"])
        #expect(try described.manifest().collections.map(\.displayName) == ["Trial Flags"])
        let secret = FlagsLoader(
            TrialFlags.self, description: FlagMetadata(description: "No one’s", isInternal: true),
            providers: [InMemoryProvider()])
        #expect(try secret.manifest().definitions.map(\.metadata.isInternal) == [true])
        #expect(try secret.manifest().collections.isEmpty && places(secret.manifest()) == ["drones"])
    }

    @Test("A registered flag is in the groups that organise it, under the names given")
    func registeredFlags() throws {
        let manager = manager(prefix: "app")
        try manager.register(
            Flag<Bool>(key: "fast", default: false, description: ""), in: ["search"], organisedIn: ["Beta UI", "now"])
        try manager.register(Flag<Bool>(key: "plain", default: false, description: ""), in: ["search"])
        let manifest = try manager.manifest()
        #expect(
            try places(manifest) == ["app/search/fast in app/Beta UI/now/search", "app/search/plain in app/search"])
        #expect(
            manifest.collections.map { "\($0.key): \($0.displayName)" } == [
                "app/Beta UI: Beta UI", "app/Beta UI/now: now",
            ])
    }

    @Test("Updating a manifest follows the order of declaration, and keeps each other flag behind the one it followed")
    func order() throws {
        let manager = manager()
        manager.addCollection(TrialFlags.self)
        try manager.register(Flag<Bool>(key: "b", default: false, description: ""))
        try manager.register(Flag<Bool>(key: "a", default: false, description: ""))
        let entries = ["first", "a", "behind_a", "b", "behind_b"].map { key -> FlagValue in
            .dictionary(["key": .string(key), "type": "bool", "group": "old/place", "owner": "ada"])
        }
        let before = try FlagManifest(
            document: PropertyListDocument(root: .dictionary(["version": 1, "flags": .array(entries)])))
        let updated = try manager.manifest(updating: before)
        #expect(
            try places(updated) == [
                "first in old/place", "drones", "b", "behind_b in old/place", "a", "behind_a in old/place",
            ])
        #expect(updated.definitions.filter { $0.metadata.owner == "ada" }.count == 5)
        #expect(try manager.manifest(updating: updated).document.source == updated.document.source)
    }

    @Test("The group of a manifest is a path, and what is none is named")
    func mistakes() throws {
        let source = Data(
            """
            <plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array>
            <dict><key>key</key><string>a</string><key>type</key><string>bool</string><key>group</key><string>x~y</string></dict>
            <dict><key>key</key><string>b</string><key>type</key><string>bool</string><key>group</key><true/></dict>
            <dict><key>key</key><string>c</string><key>type</key><string>bool</string><key>group</key><string>shop/</string></dict>
            </array></dict></plist>
            """.utf8)
        let error = #expect(throws: FlagManifestError.self) { try FlagManifest(source: source) }
        let problems = error?.problems.map { "\($0.subject ?? "") \($0.field ?? ""): \($0.reason)" } ?? []
        #expect(problems.count == 3)
        #expect(problems.first?.hasPrefix("a group: \"x~y\" is not a valid key path") == true)
        #expect(problems.contains("b group: found boolean true, expected a string"))
        #expect(problems.last == "c group: \"shop/\" has an unnamed group; name every group")
    }
}
