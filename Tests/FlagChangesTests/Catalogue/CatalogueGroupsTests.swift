import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Groups and their order in the catalogue")
struct CatalogueGroupsTests {
    private static let manifest = """
        <plist version="1.0"><dict>
        <key>version</key><integer>1</integer>
        <key>flags</key>
        <array>
        <dict><key>key</key><string>zebra</string><key>type</key><string>bool</string></dict>
        <dict><key>key</key><string>apple</string><key>type</key><string>bool</string></dict>
        <dict><key>key</key><string>first</string><key>type</key><string>bool</string><key>order</key><integer>1</integer></dict>
        <dict><key>key</key><string>scroll</string><key>type</key><string>bool</string><key>group</key><string>lists/beta</string></dict>
        <dict><key>key</key><string>delivery/fee</string><key>type</key><string>bool</string><key>group</key><string>shop/delivery</string></dict>
        <dict><key>key</key><string>delivery/express/hours</string><key>type</key><string>integer</string></dict>
        <dict><key>key</key><string>admin/log</string><key>type</key><string>bool</string></dict>
        </array>
        <key>collections</key>
        <array>
        <dict><key>key</key><string>shop</string><key>name</key><string>The shop</string></dict>
        <dict><key>key</key><string>lists/beta</string><key>name</key><string>Tried now</string></dict>
        <dict><key>key</key><string>delivery</string><key>name</key><string>Nowhere</string></dict>
        </array>
        </dict></plist>
        """
    private static let values = """
        <plist version="1.0"><dict>
        <key>stray</key><true/>
        <key>delivery</key><dict><key>found</key><true/></dict>
        </dict></plist>
        """

    private func catalogue() async throws -> FlagCatalogue {
        try await Project(values: Self.values, manifest: Self.manifest).service().catalogue()
    }

    @Test("Flags and groups are in the order of the manifest, those with an order first, and undefined ones last")
    func order() async throws {
        let catalogue = try await catalogue()
        #expect(
            catalogue.entries.map(\.key.text) == [
                "first", "zebra", "apple", "stray", "scroll", "delivery/fee", "delivery/found",
                "delivery/express/hours", "admin/log",
            ])
    }

    @Test(
        "A flag is in the group of its definition, else in that of its neighbours by key path, else in its key path's")
    func groups() async throws {
        let catalogue = try await catalogue()
        func groups(_ key: String) throws -> [String] {
            let key = try #require(FlagKeyPath(text: key))
            return try #require(catalogue[key]).definition.groups.map(\.text)
        }
        #expect(try groups("scroll") == ["lists", "lists/beta"])
        #expect(try groups("delivery/fee") == ["shop", "shop/delivery"])
        #expect(try groups("delivery/found") == ["shop", "shop/delivery"])
        #expect(try groups("delivery/express/hours") == ["shop", "shop/delivery", "shop/delivery/express"])
        #expect(try groups("admin/log") == ["admin"])
        #expect(try groups("zebra").isEmpty)
        #expect(Set(catalogue.collections.keys.map(\.text)) == ["shop", "lists/beta"])
    }

    @Test("A flag is found by its groups, by their paths and by their names")
    func search() async throws {
        let catalogue = try await catalogue()
        func found(_ text: String) -> [String] {
            let texts = Array(repeating: String?.none, count: catalogue.entries.count)
            let matches = catalogue.searchIndex.matches(FlagSearchIndex.Words(text), texts: texts)
            return zip(catalogue.entries, matches).filter(\.1).map(\.0.key.text)
        }
        #expect(found("lists/beta") == ["scroll"] && found("tried now") == ["scroll"])
        #expect(found("the shop") == ["delivery/fee", "delivery/found", "delivery/express/hours"])
        #expect(found("nowhere").isEmpty)
    }

    @Test("An export of a flag keeps the groups that it is shown in")
    func exports() async throws {
        let project = try Project(values: Self.values, manifest: Self.manifest)
        let service = try project.service()
        let key = try #require(FlagKeyPath(text: "scroll"))
        let data = try #require(try await service.exportedManifest(only: [key]))
        let manifest = try FlagManifest(source: data)
        #expect(manifest.definitions.map(\.key) == [key])
        #expect(manifest.collections.map(\.key.text) == ["lists/beta"])
    }

    @Test("The history hides a group that only internal flags are shown in, and no group of a visible flag")
    func hiddenGroups() throws {
        func flag(_ key: String, _ group: String, isInternal: Bool) throws -> FlagDefinition {
            FlagDefinition(
                key: try #require(FlagKeyPath(text: key)), type: .bool, metadata: FlagMetadata(isInternal: isInternal),
                group: FlagKeyPath(text: group))
        }
        let definitions = [
            try flag("merger", "takeover", isInternal: true), try flag("pay/secret", "pay", isInternal: true),
            try flag("seen", "pay/open", isInternal: false),
        ]
        let manifest = try FlagManifest(definitions: definitions)
        let catalogue = FlagCatalogue(manifest: manifest.content, snapshots: [], showsInternal: false)
        let hidden = HiddenKeys(manifest.content.internalKeys, of: manifest, besides: catalogue)
        #expect(hidden.groups.map(\.text) == ["takeover"])
    }
}
