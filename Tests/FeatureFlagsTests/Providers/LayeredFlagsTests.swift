import FeatureFlags
import Foundation
import Testing

@Suite("SwiftFeatureConfigs' four levels")
struct LayeredFlagsTests {
    private struct Configs: FlagCollectionProtocol {
        @Flag(default: true, description: "A switch") var someFeatureEnabled: Bool
        @Flag(default: 12, description: "A number") var numberOfItemsToDisplay: Int
        @Flag(default: "SampleTitle", description: FlagMetadata(description: "A title", isPersistable: false))
        var mainViewTitle: String
        @Flag(default: [:], description: "A dictionary") var limits: [String: Int]
    }

    private let suite = TemporarySuite()
    private let override = InMemoryProvider(name: "Override file")

    private func configs() throws -> LayeredFlags<Configs> {
        LayeredFlags(Configs.self, override: override, persisted: try UserDefaultsProvider(suiteName: suite.name))
    }

    @Test("Override file, in-memory, persisted and default are asked in this order, keyed by the properties' names")
    func levels() throws {
        let configs = try configs()
        #expect(configs.flags.numberOfItemsToDisplay == 12)
        try suite.defaults.set(13, forKey: "numberOfItemsToDisplay")
        #expect(configs.flags.numberOfItemsToDisplay == 13)
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(14)])
        #expect(configs.flags.numberOfItemsToDisplay == 14)
        override.replaceValues(with: ["numberOfItemsToDisplay": .integer(15)])
        #expect(configs.flags.numberOfItemsToDisplay == 15)
    }

    @Test("A type mismatch falls to the next level, and is reported")
    func mismatch() throws {
        let configs = try configs()
        override.replaceValues(with: ["numberOfItemsToDisplay": .string("many")])
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(14)])
        #expect(configs.flags.numberOfItemsToDisplay == 14)
        #expect(configs.flags.diagnostics.current.map(\.provider) == ["Override file"])
    }

    @Test("Loading in-memory features replaces the whole dictionary, keys that no flag has included")
    func replacesAll() throws {
        let configs = try configs()
        configs.loadInMemoryFeatures(["someFeatureEnabled": .bool(false), "unknown": .integer(1)])
        #expect(!configs.flags.someFeatureEnabled)
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(14)])
        #expect(configs.flags.someFeatureEnabled)
        #expect(try configs.inMemory.store?.values == ["numberOfItemsToDisplay": .integer(14)])
    }

    @Test("persist() keeps the values in memory for the next run, but those that are not persistable")
    func persists() throws {
        let configs = try configs()
        override.replaceValues(with: ["someFeatureEnabled": .bool(true)])
        configs.loadInMemoryFeatures([
            "someFeatureEnabled": .bool(false), "mainViewTitle": .string("Secret"),
            "limits": .dictionary(["a": .integer(1)]), "unknown": .integer(1),
        ])
        try configs.persist()
        override.replaceValues(with: [:])
        let next = try self.configs()
        #expect(!next.flags.someFeatureEnabled)
        #expect(next.flags.limits == ["a": 1])
        #expect(next.flags.mainViewTitle == "SampleTitle")
        #expect(try suite.defaults.object(forKey: "unknown") == nil)
    }

    @Test("In-memory and persisted configs are cleared each on its own")
    func clears() throws {
        let configs = try configs()
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(14)])
        try configs.persist()
        try suite.defaults.set("kept", forKey: "another app's key")
        configs.clearInMemoryConfigs()
        #expect(configs.flags.numberOfItemsToDisplay == 14)
        try configs.clearPersistedConfigs()
        #expect(configs.flags.numberOfItemsToDisplay == 12)
        #expect(try suite.defaults.string(forKey: "another app's key") == "kept")
    }

    @Test("The override is never written")
    func protectsOverride() throws {
        let configs = try configs()
        #expect(configs.flags.$numberOfItemsToDisplay.setValue(1).map(\.name) == ["In memory", suite.name])
        try configs.flags.$numberOfItemsToDisplay.resetValue()
        #expect(try override.store?.values == [:])
    }

    @Test("Without an override there are three levels, and two compositions share nothing")
    func isOptional() throws {
        let first = LayeredFlags(Configs.self, persisted: InMemoryProvider(name: "Persisted"))
        let second = LayeredFlags(Configs.self, persisted: InMemoryProvider(name: "Persisted"))
        first.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(14)])
        try first.persist()
        #expect(first.flags.providers.map(\.name) == ["In memory", "Persisted"])
        #expect(second.flags.numberOfItemsToDisplay == 12)
    }
}
