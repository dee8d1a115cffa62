import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Testing

private struct Features: FlagCollectionProtocol {
    @Flag(description: "Blue text") var blueText: Bool
    @Flag(default: true, description: "Log what happens") var debugLogging: Bool
    @Flag(description: "Tabs at the bottom") var useTabBarNav: Bool
}

private struct MyToggles: FlagCollectionProtocol {
    @Flag(key: "isFeatureEnabled", description: "Enables a feature") var isFeatureEnabled: Bool
    @FlagCollection(key: "config", description: "The feature") var config: Config
}

private struct Config: FlagCollectionProtocol {
    @Flag(key: "someFeatureProperty", description: "A text") var someFeatureProperty: String
    @Flag(key: "limits", default: [], description: "Limits") var limits: [Int]
}

private struct DottedToggles: FlagCollectionProtocol {
    @Flag(key: "config.someFeatureProperty", default: "none", description: "A text") var property: String
    @Flag(key: "a.b", default: "none", description: "A key with a dot") var dotted: String
}

private struct MyConfigs: FlagCollectionProtocol {
    @Flag(default: true, description: "Some feature") var someFeatureEnabled: Bool
    @Flag(default: 12, description: "A number") var numberOfItems: Int
    @Flag(default: "Title", description: FlagMetadata(description: "The title", isPersistable: false))
    var mainViewTitle: String
}

private struct Identified: FlagCollectionProtocol {
    @Flag(default: false, description: "The first feature") var feature1: Bool
    @Flag(default: true, description: "The second feature") var featureTwo: Bool
}

/// The programs of the guides, on what the old libraries have stored in `UserDefaults`.
@Suite("What people have saved is there after the move")
struct SavedValuesTests {
    private let suite = TemporarySuite()

    @Test("Override: saved overrides are read under the names of the properties, and written as it writes them")
    func override() throws {
        let defaults = try suite.defaults
        defaults.set("ON", forKey: "Override_blueText")
        defaults.set("OFF", forKey: "Override_debugLogging")
        defaults.set("Default", forKey: "Override_useTabBarNav")
        let features = FlagsManager(
            providers: [UserDefaultsProvider(defaults, keyPrefix: "Override_", form: .override)],
            keyConfiguration: KeyConfiguration(keyTransform: .none)
        ).addCollection(Features.self)
        #expect(features.blueText && !features.debugLogging && !features.useTabBarNav)
        #expect(features.$blueText.override == .enabled && features.$useTabBarNav.override == .featureDefault)
        try features.$useTabBarNav.setOverride(.enabled)
        try features.$debugLogging.setOverride(.featureDefault)
        #expect(defaults.string(forKey: "Override_useTabBarNav") == "ON")
        #expect(defaults.object(forKey: "Override_debugLogging") == nil && features.debugLogging)
    }

    @Test("ToggleUI: the one dictionary is read by key path, and a change keeps its other entries")
    func toggleUI() throws {
        let defaults = try suite.defaults
        let saved: [String: Any] = [
            "isFeatureEnabled": true, "config": ["someFeatureProperty": "saved", "limits": [1, 2]], "other": "kept",
        ]
        defaults.set(saved, forKey: "toggles")
        let provider = UserDefaultsProvider(defaults, form: .dictionary("toggles"))
        let toggles = FlagsLoader(MyToggles.self, providers: [provider])
        #expect(toggles.isFeatureEnabled && toggles.config.someFeatureProperty == "saved")
        #expect(toggles.config.limits == [1, 2])
        #expect(try provider.storedValue(at: FlagKeyPath(components: ["config", "limits", "1"])) == 2)
        try toggles.config.$someFeatureProperty.set("changed", in: provider.name)
        try toggles.$isFeatureEnabled.set(nil, in: provider.name)
        let held = try FlagValue.entries(foundation: try #require(defaults.dictionary(forKey: "toggles")))
        #expect(
            held == ["config": ["someFeatureProperty": "changed", "limits": [1, 2]], "other": "kept"])
        defaults.set("no dictionary", forKey: "toggles")
        #expect(throws: FlagValueError.self) { try toggles.$isFeatureEnabled.set(true, in: provider.name) }
        #expect(defaults.string(forKey: "toggles") == "no dictionary")
        #expect(toggles.$isFeatureEnabled.explain().resolution.isBroken)
    }

    @Test("A dictionary passes the conformance suite")
    func conforms() async throws {
        let limits = FlagsProviderConformance.Limits { $0 != .string("\u{FEFF}x") }
        try await FlagsProviderConformance.check(limits) {
            try UserDefaultsProvider(suiteName: suite.name, keyPrefix: UUID().uuidString, form: .dictionary("flags"))
        }
    }

    @Test("ToggleUI: a key that was meant as a path is reported where a provider holds a value at that path")
    func dottedKeys() throws {
        let defaults = try suite.defaults
        defaults.set(["config": ["someFeatureProperty": "saved"]], forKey: "toggles")
        let provider = UserDefaultsProvider(defaults, name: "Toggles", form: .dictionary("toggles"))
        let toggles = FlagsLoader(DottedToggles.self, providers: [provider])
        #expect(toggles.property == "none")
        let diagnostic = try #require(toggles.diagnostics.current.first)
        #expect(toggles.diagnostics.current.count == 1 && diagnostic.kind == .misplacedKey)
        #expect(
            diagnostic.description
                == "config.someFeatureProperty: the key \"config.someFeatureProperty\" is one component, so the value of Toggles at config/someFeatureProperty is not read; declare the flag with keyPath: [\"config\", \"someFeatureProperty\"], or the groups as @FlagCollection with a key each"
        )
        // A flat store may have keys with dots of its own.
        defaults.set("flat", forKey: "a.b")
        let flat = FlagsLoader(DottedToggles.self, providers: [UserDefaultsProvider(defaults)])
        #expect(flat.dotted == "flat" && flat.diagnostics.current.isEmpty)
    }

    @Test(
        "A key that was meant as a path is reported once values arrive, and no more once the value is where it is read")
    func lateValues() async throws {
        let late = CodableProvider(name: "Late", load: { Data(#"{"config": {"someFeatureProperty": "late"}}"#.utf8) })
        let manager = FlagsManager(providers: [late])
        let toggles = manager.addCollection(DottedToggles.self)
        #expect(manager.diagnostics.current.isEmpty)
        try await manager.setUp()
        #expect(manager.diagnostics.current.map(\.kind) == [.misplacedKey])
        #expect(manager.diagnostics.current.first?.flag == toggles.$property.keyPath)
        try late.update(Data(#"{"config.someFeatureProperty": "here"}"#.utf8))
        toggles.providersDidChange()
        #expect(toggles.property == "here" && manager.diagnostics.current.isEmpty)
        try await manager.refresh()
        #expect(manager.diagnostics.current.map(\.kind) == [.misplacedKey])
        let memory = InMemoryProvider()
        let loader = FlagsLoader(DottedToggles.self, providers: [memory])
        try memory.setStoredValue("a", at: FlagKeyPath(components: ["config", "someFeatureProperty"]))
        loader.providersDidChange()
        #expect(loader.diagnostics.current.map(\.provider) == [memory.name])
    }

    @Test("SwiftFeatureConfigs: what was persisted is read, and persisting replaces it")
    func swiftFeatureConfigs() throws {
        let defaults = try suite.defaults
        defaults.set(["someFeatureEnabled": false, "numberOfItems": 3], forKey: "MyConfigs_defaults_key_")
        func configs() -> LayeredFlags<MyConfigs> {
            LayeredFlags(
                MyConfigs.self,
                persisted: UserDefaultsProvider(defaults, form: .dictionary("MyConfigs_defaults_key_")))
        }
        #expect(!configs().flags.someFeatureEnabled && configs().flags.numberOfItems == 3)
        let next = configs()
        next.loadInMemoryFeatures(["numberOfItems": 4, "mainViewTitle": "Hello"])
        try next.persist()
        let held = try FlagValue.entries(
            foundation: try #require(defaults.dictionary(forKey: "MyConfigs_defaults_key_")))
        #expect(held == ["numberOfItems": 4])
        #expect(configs().flags.someFeatureEnabled && configs().flags.mainViewTitle == "Title")
    }

    @Test("CloudKit FeatureToggles: its suite holds a Boolean under each identifier")
    func cloudKit() throws {
        let defaults = try suite.defaults
        defaults.set(true, forKey: "feature1")
        defaults.set(false, forKey: "featureTwo")
        let toggles = FlagsLoader(
            Identified.self, providers: [try UserDefaultsProvider(suiteName: suite.name)],
            keyConfiguration: KeyConfiguration(keyTransform: .none))
        #expect(toggles.feature1 && !toggles.featureTwo)
    }
}
