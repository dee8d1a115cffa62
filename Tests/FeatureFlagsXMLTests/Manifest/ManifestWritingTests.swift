import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private enum Mode: String, CaseIterable, FlagProtocol { case never, always }
private struct Layout: Codable, FlagProtocol { var columns = 2 }

private struct Flags: FlagCollectionProtocol {
    @Flag(
        default: true,
        description: FlagMetadata(
            description: "Show it", isLocked: true, requiresRestart: true, tags: ["shop"],
            userInfo: ["ticket": "SHOP-12", "screens": [1, "list"]]))
    var showIt: Bool

    @Flag(default: .never, description: "How")
    var mode: Mode

    @Flag(key: "text", description: FlagMetadata(description: "Nothing", isInternal: true))
    var text: String?

    @FlagCollection(description: "Checkout flags")
    var checkout: Checkout

    @FlagCollection(keyConfiguration: .skip, description: "Organises alone")
    var together: Together
}

private struct Checkout: FlagCollectionProtocol {
    @Flag(default: Layout(), description: "The layout")
    var layout: Layout

    @Flag(default: Date(timeIntervalSince1970: 0), description: "Since")
    var since: Date
}

private struct Together: FlagCollectionProtocol {
    @Flag(default: 2.5, suggestions: [1, 2.5], description: "A ratio")
    var ratio: Double
}

private struct Staff: FlagCollectionProtocol {
    @FlagCollection(description: FlagMetadata(description: "For us alone", isInternal: true))
    var secret: Checkout
}

@Suite("Manifests written from code")
struct ManifestWritingTests {
    private let manager = FlagsManager(providers: [])

    init() { manager.addCollection(Flags.self) }

    @Test("A manifest says of each flag what the code declares, and reads back")
    func definitions() throws {
        let manifest = try manager.manifest()
        #expect(
            manifest.definitions.map(\.key.text) == [
                "show_it", "mode", "text", "checkout/layout", "checkout/since", "ratio",
            ])
        #expect(manifest.definitions.map(\.type) == [.bool, .choice, .string, .json, .date, .double])
        #expect(manifest.definitions[0].metadata.isLocked)
        #expect(manifest.definitions[0].metadata.requiresRestart)
        #expect(manifest.definitions[0].metadata.tags == ["shop"])
        #expect(manifest.definitions[0].metadata.userInfo == ["ticket": "SHOP-12", "screens": [1, "list"]])
        #expect(manifest.definitions[5].suggestions == [1.0, 2.5])
        #expect(manifest.definitions[0].displayName == "Show It")
        #expect(manifest.definitions[1].constraints.choices == [.string("never"), .string("always")])
        #expect(manifest.definitions[1].defaultValue == .string("never"))
        #expect(manifest.definitions[2].defaultValue == nil)
        #expect(manifest.definitions[2].metadata.isInternal)
        #expect(manifest.definitions[3].defaultValue == .data(Data(#"{"columns":2}"#.utf8)))
        #expect(manifest.definitions[4].defaultValue == .date(Date(timeIntervalSince1970: 0)))
        #expect(
            manifest.collections == [
                FlagCollectionDefinition(
                    key: try #require(FlagKeyPath(text: "checkout")), name: "Checkout",
                    description: "Checkout flags"),
                FlagCollectionDefinition(
                    key: try #require(FlagKeyPath(text: "together")), name: "Together",
                    description: "Organises alone"),
            ])
    }

    @Test("Updating keeps what others added: flags, fields and entries")
    func updating() throws {
        let existing = try FlagManifest(
            source: manifestSource(
                flags: """
                    <dict><key>key</key><string>other</string><key>type</key><string>bool</string></dict>
                    <dict><key>key</key><string>ratio</string><key>type</key><string>integer</string>
                    <key>owner</key><string>Ann</string><key>note</key><string>kept</string></dict>
                    """))
        let manifest = try manager.manifest(updating: existing)
        #expect(
            manifest.definitions.map(\.key.text) == [
                "other", "show_it", "mode", "text", "checkout/layout", "checkout/since", "ratio",
            ])
        #expect(manifest.definitions[6].type == .double)
        #expect(manifest.definitions[6].metadata.owner == "Ann")
        #expect(manifest.storedEntries[manifest.definitions[6].key]?.field("note") == .string("kept"))
        #expect(try manager.manifest(updating: manifest).document.source == manifest.document.source)
    }

    @Test("An internal group has no entry, and its flags are internal")
    func internalGroup() throws {
        let manager = FlagsManager(providers: [])
        manager.addCollection(Staff.self)
        let manifest = try manager.manifest()
        #expect(manifest.collections.isEmpty)
        #expect(manifest.definitions.map(\.metadata.isInternal) == [true, true])
    }

    @Test("Two flags of one key path are named rather than written")
    func collision() throws {
        struct Clash: FlagCollectionProtocol {
            @Flag(key: "show_it", default: 1, description: "The same key")
            var another: Int
        }
        manager.addCollection(Clash.self)
        let error = try #require(throws: FlagManifestError.self) { try manager.manifest() }
        #expect(error.problems.map(\.subject) == ["show_it"])
    }

    @Test("A file is made, left alone where nothing changed, and updated where something did")
    func file() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.manifest.xml")
        try manager.writeManifest(to: url)
        let first = try AtomicFile.read(url, maximumSize: .max)
        try manager.writeManifest(to: url)
        #expect(try AtomicFile.read(url, maximumSize: .max).signature == first.signature)
        struct More: FlagCollectionProtocol {
            @Flag(default: 1, description: "One more")
            var more: Int
        }
        manager.addCollection(More.self)
        try manager.writeManifest(to: url)
        #expect(try FlagManifest(source: Data(contentsOf: url)).definitions.last?.key.text == "more")
        try Data("broken".utf8).write(to: url)
        #expect(throws: FlagManifestError.self) { try manager.writeManifest(to: url) }
        #expect(try Data(contentsOf: url) == Data("broken".utf8))
    }

    @Test("A loader writes its flags to a file, and another loader adds its own to it")
    func loaders() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.manifest.xml")
        func keys() throws -> Set<String> {
            Set(try FlagManifest(source: Data(contentsOf: url)).definitions.map(\.key.text))
        }
        try FlagsLoader(Checkout.self, providers: []).writeManifest(to: url)
        #expect(try keys() == ["layout", "since"])
        try FlagsLoader(Together.self, providers: []).writeManifest(to: url)
        #expect(try keys() == ["layout", "since", "ratio"])
        let both = try AtomicFile.read(url, maximumSize: .max)
        try FlagsLoader(Checkout.self, providers: []).writeManifest(to: url)
        try FlagsLoader(Together.self, providers: []).writeManifest(to: url)
        #expect(try AtomicFile.read(url, maximumSize: .max).signature == both.signature)
    }
}

extension FlagValue {
    fileprivate func field(_ name: String) -> FlagValue? {
        if case .dictionary(let fields) = self { fields[name] } else { nil }
    }
}
