import FeatureFlags
import FeatureFlagsTesting
import FeatureFlagsXML
import Foundation
import Testing

@Suite("The local provider and the conformance suite")
struct LocalProviderConformanceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("With a file, it passes")
    func fileConforms() async throws {
        try await FlagsProviderConformance.check {
            LocalProvider(localURL: folder.file("\(UUID().uuidString).xml"))
        }
    }

    @Test("In memory, it passes")
    func memoryConforms() async throws {
        try await FlagsProviderConformance.check { LocalProvider(name: "Memory") }
    }

    @Test("Read-only with a file, it passes")
    func readOnlyConforms() async throws {
        let file = folder.file("flags.xml")
        try Data("<plist><dict><key>a</key><dict><key>b</key><true/></dict></dict></plist>".utf8).write(to: file)
        try await FlagsProviderConformance.checkReadOnly(holding: [try key("a/b"): .bool(true)]) {
            LocalProvider(localURL: file, isWritable: false)
        }
    }

    @Test("SwiftFeatureConfigs: an override file that is given, or the collection's own, or none is the first level")
    func overrideFile() throws {
        let file = folder.file("Override.plist")
        try Data("<plist><dict><key>on</key><true/></dict></plist>".utf8).write(to: file)
        let configs = LayeredFlags(
            Configs.self, overrideFile: file, persisted: InMemoryProvider(name: "Persisted"))
        #expect(configs.flags.on)
        #expect(configs.flags.providers.map(\.name) == ["Override.plist", "In memory", "Persisted"])
        let missing = LayeredFlags(Configs.self, overrideFile: nil, persisted: InMemoryProvider(name: "Persisted"))
        #expect(!missing.flags.on)
        #expect(missing.flags.providers.map(\.name) == ["In memory", "Persisted"])
        try FileManager.default.copyItem(at: file, to: folder.file("Configs.plist"))
        let own = LayeredFlags<Configs>.overrideFile(in: folder.url)
        #expect(own?.lastPathComponent == "Configs.plist")
        #expect(LayeredFlags<OtherConfigs>.overrideFile(in: folder.url) == nil)
    }

    private struct Configs: FlagCollectionProtocol {
        @Flag(description: "A switch") var on: Bool
    }

    private struct OtherConfigs: FlagCollectionProtocol {
        @Flag(description: "A switch") var on: Bool
    }
}
