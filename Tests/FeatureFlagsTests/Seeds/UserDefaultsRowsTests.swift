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

    @Test("Vexil: a flag in UserDefaults is a stream of what is set, reset, refreshed and replaced")
    func tellsValues() async throws {
        let defaults = try suite.defaults
        let provider = UserDefaultsProvider(defaults)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        var sizes = flags.userList.$pageSize.values.makeAsyncIterator()
        #expect(await sizes.next() == 10)
        flags.userList.$pageSize.setValue(20)
        #expect(await sizes.next() == 20)
        try flags.userList.$pageSize.resetValue()
        #expect(await sizes.next() == 10)
        defaults.set(30, forKey: "user_list/page_size")
        try await provider.refresh()
        #expect(await sizes.next() == 30)
        defaults.setPersistentDomain(["user_list/page_size": 40], forName: suite.name)
        #expect(await sizes.next() == 40)
    }

    @Test("Vexil: changes in UserDefaults are a stream, each once, with the values that they come to")
    func tellsChanges() async throws {
        let defaults = try suite.defaults
        defaults.set(true, forKey: "blue_text")
        let provider = UserDefaultsProvider(defaults, name: "Defaults")
        let flags = FlagsLoader(Flags.self, providers: [InMemoryProvider(), ReadOnlyProvider(provider)])
        var changes = flags.changes.makeAsyncIterator()
        try provider.setStoredValue(true, at: keyPath("blue_text"))
        try provider.setStoredValue(5, at: flags.userList.$pageSize.keyPath)
        #expect(await changes.next()?.description == "user_list/page_size in Defaults: integer 5")
        defaults.removeObject(forKey: "blue_text")
        defaults.set("many", forKey: "user_list/page_size")
        try await provider.refresh()
        #expect(await changes.next()?.description == "blue_text in Defaults: none")
        #expect(await changes.next()?.description == #"user_list/page_size in Defaults: string "many""#)
    }

    @Test("ToggleUI: a view follows an override in UserDefaults, and what it overrides")
    func tellsOfPair() async throws {
        let remote = InMemoryProvider(name: "Remote", values: ["blue_text": true])
        let pair = OverridableProvider(provider: remote, override: UserDefaultsProvider(try suite.defaults))
        let flags = FlagsLoader(Flags.self, providers: [pair])
        var changes = flags.changes.makeAsyncIterator()
        var states = flags.$blueText.values.makeAsyncIterator()
        #expect(await states.next() == true)
        flags.$blueText.setValue(false)
        #expect(await states.next() == false)
        remote.replaceValues(with: ["blue_text": true, "user_list": ["page_size": 3]])
        #expect(await changes.next()?.description == "blue_text in Remote: boolean false")
        #expect(await changes.next()?.description == "user_list/page_size in Remote: integer 3")
        try flags.$blueText.resetValue()
        #expect(await states.next() == true)
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
