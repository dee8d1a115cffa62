import FeatureFlags
import Foundation
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: false, description: "Blue text")
    var blueText: Bool
    @FlagCollection(description: "A group")
    var userList: Group
}

private struct Group: FlagCollectionProtocol {
    @Flag(default: 10, description: "Rows of a page")
    var pageSize: Int
    @Flag(default: ["a": [1]], description: "Nested")
    var nested: [String: [Int]]
}

/// What the list of seed systems says of `UserDefaults` as a store of flags, a test for each claim.
@Suite("UserDefaults as the seed systems use it")
struct UserDefaultsRowsTests {
    private let suite = TemporarySuite()

    @Test("RealFlags: UserDefaults is a provider as it is, and its flat key is the full path")
    func realFlags() throws {
        let defaults = try suite.defaults
        let flags = FlagsLoader(Flags.self, providers: [defaults])
        #expect(flags.userList.$pageSize.setValue(5, providers: [UserDefaultsProvider.self]).count == 1)
        #expect(defaults.integer(forKey: "user_list/page_size") == 5)
        defaults.set(7, forKey: "user_list/page_size")
        #expect(flags.userList.pageSize == 7)
        flags.userList.$nested.setValue(["b": [2, 3]])
        #expect(flags.userList.nested == ["b": [2, 3]])
    }

    @Test("Override: an override is Default, OFF or ON under the prefix, and is there at the next start")
    func override() throws {
        let defaults = try suite.defaults
        func flags() -> FlagsLoader<Flags> {
            FlagsLoader(
                Flags.self, providers: [UserDefaultsProvider(defaults, keyPrefix: "Override_", form: .override)],
                keyConfiguration: KeyConfiguration(keyTransform: .none))
        }
        flags().$blueText.override = .enabled
        #expect(defaults.string(forKey: "Override_blueText") == "ON")
        #expect(flags().blueText)
        defaults.set("OFF", forKey: "Override_blueText")
        #expect(flags().$blueText.override == .disabled)
        defaults.set("Default", forKey: "Override_blueText")
        #expect(flags().$blueText.override == .featureDefault)
    }

    @Test("Override: the store that is given is the one that is used")
    func givenStore() throws {
        let flags = FlagsLoader(Flags.self, providers: [UserDefaultsProvider(try suite.defaults)])
        flags.$blueText.override = .enabled
        #expect(UserDefaults.standard.object(forKey: "blue_text") == nil)
    }

    @Test("ToggleUI: UserDefaults overrides another provider")
    func toggleUI() throws {
        let remote = InMemoryProvider(values: ["blue_text": false])
        let pair = OverridableProvider(provider: remote, override: UserDefaultsProvider(try suite.defaults))
        let flags = FlagsLoader(Flags.self, providers: [pair])
        flags.$blueText.setValue(true)
        #expect(flags.blueText)
        #expect(try remote.store?.values == ["blue_text": false])
    }

    @Test("SwiftFeatureConfigs: what was in memory is persisted, and is there at the next start")
    func swiftFeatureConfigs() throws {
        let defaults = try suite.defaults
        func configs() -> LayeredFlags<Flags> {
            LayeredFlags(Flags.self, persisted: UserDefaultsProvider(defaults))
        }
        let first = configs()
        first.loadInMemoryFeatures(["blueText": true])
        try first.persist()
        #expect(configs().flags.blueText && defaults.bool(forKey: "blueText"))
        try first.clearPersistedConfigs()
        #expect(!configs().flags.blueText)
    }
}
