import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, computedValue: { 5 }, description: "") var computed: Int
    @Flag(dynamicDefault: { 3 }, description: "") var dynamic: Int
    @Flag(default: 1, excludedProviderNames: ["Local"], description: "") var byName: Int
    @Flag(default: 1, excludedProviders: [InMemoryProvider.self], description: "") var byType: Int
    @Flag(default: 1, description: "") var plain: Int
}

@Suite("What only the code knows is marked in the manifest")
struct CodeOnlyTests {
    private func definitions() throws -> [String: FlagDefinition] {
        let manager = FlagsManager(providers: [InMemoryProvider(name: "Memory"), InMemoryProvider(name: "Local")])
        manager.addCollection(Flags.self)
        let manifest = try FlagManifest(source: try manager.manifest().document.source)
        return Dictionary(uniqueKeysWithValues: manifest.definitions.map { ($0.key.text, $0) })
    }

    @Test("A computed value, a dynamic default and excluded providers are told, and other flags have none of it")
    func marks() throws {
        let flags = try definitions()
        #expect(flags["computed"]?.computed == .value && flags["computed"]?.defaultValue == 1)
        #expect(flags["dynamic"]?.computed == .default && flags["dynamic"]?.defaultValue == nil)
        #expect(flags["by_name"]?.excludedProviders == ["Local"])
        #expect(flags["by_type"]?.excludedProviders == ["Memory", "Local"])
        #expect(flags["plain"]?.computed == nil && flags["plain"]?.excludedProviders == [])
    }

    @Test("Outside the app, what it computes is unknown, and a value in a file counts before a computed default")
    func resolution() throws {
        let flags = try definitions()
        let memory = InMemoryProvider(name: "Memory")
        for key in ["computed", "dynamic"] {
            let resolution = try #require(flags[key]).resolve(in: [memory])
            #expect(resolution.effectiveValue == nil && FlagState(resolution) == .computed)
            try memory.setStoredValue(7, at: FlagKeyPath(components: [key]))
        }
        let computed = try #require(flags["computed"]).resolve(in: [memory])
        #expect(computed.effectiveValue == nil && computed.source == .computed && FlagState(computed) == .computed)
        let dynamic = try #require(flags["dynamic"]).resolve(in: [memory])
        #expect(dynamic.effectiveValue == 7 && dynamic.source == .provider("Memory"))
    }
}
