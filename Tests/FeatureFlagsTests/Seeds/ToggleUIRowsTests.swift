import FeatureFlags
import Foundation
import Synchronization
import Testing

private enum Theme: String, CaseIterable, FlagProtocol { case light, dark }

/// A type with a way of its own to read a value, in the place of a `get` closure.
private struct Colour: FlagProtocol, Equatable {
    var red: Int

    init(red: Int) { self.red = red }

    init?(encoded value: FlagValue) {
        guard case .string(let text) = value, let red = Int(text.dropFirst(), radix: 16) else { return nil }
        self.red = red
    }

    func encoded() -> FlagValue { .string("#" + String(red, radix: 16)) }
}

private struct Toggles: FlagCollectionProtocol {
    @Flag(
        key: "isEnabled",
        description: FlagMetadata(
            description: "Whether it is enabled",
            userInfo: ["ticket": "SHOP-12", "screens": ["list", 2], "beta": true]))
    var isEnabled: Bool
    @Flag(key: "title", suggestions: ["Sale", ""], description: "A title")
    var title: String
    @Flag(key: "theme", default: .light, description: "Light or dark")
    var theme: Theme
    @Flag(
        key: "colour", default: Colour(red: 0), suggestions: [Colour(red: 255), Colour(red: 1)],
        description: "A colour")
    var colour: Colour
    @FlagCollection(key: "config", description: "A group")
    var config: Config
}

/// Toggles of one provider each, by an argument and by initializers of one's own, as type aliases do it there.
private struct Backed: FlagCollectionProtocol {
    @Flag(key: "beta", provider: "Saved", description: "Saved on the device") var beta: Bool
    @Flag(saved: "theme", default: Theme.light) var theme: Theme
    @Flag(remote: "limit", default: 3) var limit: Int
    @Flag(key: "title", provider: "Nowhere", description: "From a provider that the list lacks") var title: String
    @Flag(key: "hex", provider: "Remote", description: "A colour") var hex: String

    /// What a `get` closure makes of one toggle's value.
    var colour: Colour { Colour(red: Int(hex.dropFirst(), radix: 16) ?? 0) }
}

extension Flag {
    fileprivate init(saved key: String, default value: Value) {
        self.init(key: key, default: value, provider: "Saved", description: "Saved on the device")
    }

    fileprivate init(remote key: String, default value: Value) {
        self.init(key: key, default: value, provider: "Remote", description: "From the server")
    }
}

/// Toggles whose keys are key paths, as `key1.key2.key3` is there.
private struct Deep: FlagCollectionProtocol {
    @Flag(keyPath: ["key1", "key2", "key3"], description: "Three levels down") var text: String
    @Flag(keyPath: ["key1", "list", "1", "name"], description: "In an element of an array") var name: String
}

private struct Config: FlagCollectionProtocol {
    @Flag(key: "someProperty", description: "A property of a group")
    var someProperty: String
    @FlagCollection(key: "inner", description: "A group in a group")
    var inner: Inner
}

private struct Inner: FlagCollectionProtocol {
    @Flag(key: "limit", default: 1, description: "A limit")
    var limit: Int
}

/// A provider that notes what is asked of it, and fails at it where it is told to.
private final class NotedProvider: FlagsProvider {
    struct Failure: Error, Equatable { let provider: String }

    let name: String
    let isWritable = false
    private let fails: Bool
    let notes = Mutex<[String]>([])

    init(_ name: String, fails: Bool = false) {
        self.name = name
        self.fails = fails
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { nil }
    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { throw Failure(provider: name) }
    func setUp() async throws { try note("set up") }
    func refresh() async throws { try note("refresh") }
    func tearDown() async { notes.withLock { $0.append("tear down") } }

    private func note(_ text: String) throws {
        notes.withLock { $0.append(text) }
        if fails { throw Failure(provider: name) }
    }
}

/// What section 3 of the list of seed systems says of ToggleUI, a test for each claim.
@Suite("ToggleUI", .timeLimit(.minutes(10)))
struct ToggleUIRowsTests {
    private let provider = InMemoryProvider(name: "Actual")
    private let flags: FlagsLoader<Toggles>

    init() { flags = FlagsLoader(Toggles.self, providers: [provider]) }

    @Test("Defaults are implicit: false for a Boolean, empty for a text")
    func implicitDefaults() {
        #expect(!flags.isEnabled)
        #expect(flags.title.isEmpty)
    }

    @Test("An enum's values to choose from are its cases")
    func enumValues() {
        #expect(flags.$theme.definition.type == .choice)
        #expect(flags.$theme.definition.constraints.choices == ["light", "dark"])
    }

    @Test("Values to choose from are offered for a flag that is no enum, and others are allowed")
    func debugValues() throws {
        let title = flags.$title.definition
        #expect(title.type == .string && title.suggestions == ["Sale", ""])
        #expect(title.constraints.choices.isEmpty)
        try flags.$title.set("Something else", in: "Actual")
        #expect(flags.title == "Something else")
        #expect(flags.$colour.definition.suggestions == ["#ff", "#1"])
        #expect(flags.$theme.definition.suggestions.isEmpty)
        let offered = Flag<Int?>(key: "size", suggestions: [1, nil, 3], description: "An optional")
        #expect(offered.definition.suggestions == [1, 3])
    }

    @Test("Information of any kind is attached to a flag")
    func userInfo() throws {
        #expect(flags.$isEnabled.metadata.userInfo == ["ticket": "SHOP-12", "screens": ["list", 2], "beta": true])
        #expect(flags.$title.metadata.userInfo.isEmpty)
        let manager = FlagsManager(providers: [provider])
        manager.addCollection(Toggles.self)
        let flag = try #require(manager.featureFlags.first { $0.keyPath.flatKey == "isEnabled" })
        #expect(flag.metadata.userInfo["ticket"] == "SHOP-12")
    }

    @Test("A type of one's own decides how it is read")
    func ownType() throws {
        provider.replaceValues(with: ["colour": "#ff"])
        #expect(flags.colour == Colour(red: 255))
    }

    @Test("A value is read when it is asked for; an error leaves the last good value or the default, and is told")
    func lazily() throws {
        provider.replaceValues(with: ["isEnabled": true])
        #expect(flags.isEnabled)
        provider.replaceValues(with: ["isEnabled": "perhaps", "theme": "pink"])
        #expect(flags.isEnabled && flags.theme == .light)
        #expect(
            flags.diagnostics.current.map(\.description) == [
                #"isEnabled in Actual is broken: found string "perhaps", expected true or false"#,
                #"theme in Actual is broken: found string "pink", expected one of: light, dark"#,
            ])
    }

    @Test("A provider is chosen by giving it to a loader, or by type for one flag")
    func choosingProvider() {
        let other = FlagsLoader(Toggles.self, providers: [InMemoryProvider(values: ["title": "other"])])
        #expect(flags.title.isEmpty && other.title == "other")
        let flag = Flag<String?>(
            key: "title", excludedProviders: [InMemoryProvider.self], description: "Not from memory")
        #expect(throws: Never.self) {
            try FlagsManager(providers: [InMemoryProvider(values: ["title": "a"])]).register(flag)
        }
        #expect(flag.wrappedValue == nil)
    }

    @Test("A flag names its only provider, by an argument or by an initializer of one's own")
    func oneProvider() throws {
        let saved = InMemoryProvider(name: "Saved")
        let remote = InMemoryProvider(
            name: "Remote", values: ["beta": true, "theme": "dark", "limit": 5], isWritable: false)
        let flags = FlagsLoader(Backed.self, providers: [saved, remote])
        #expect(!flags.beta && flags.theme == .light && flags.limit == 5)
        #expect(flags.$beta.setValue(true).map(\.name) == ["Saved"])
        saved.replaceValues(with: ["beta": true, "theme": "dark", "limit": 9])
        #expect(flags.beta && flags.theme == .dark && flags.limit == 5)
        #expect(flags.$limit.explain().resolution["Saved"] == nil, "it is not asked")
        #expect(flags.$limit.definition.excludedProviders == ["Saved"], "and the dashboard says so")
    }

    @Test("A provider that the list lacks is reported, until it is there")
    func unknownProvider() throws {
        let manager = FlagsManager(providers: [InMemoryProvider(name: "Saved"), InMemoryProvider(name: "Remote")])
        let flags = manager.addCollection(Backed.self)
        let report = try #require(manager.diagnostics.current.first)
        #expect(report.kind == .missingProvider && report.flag == flags.$title.keyPath && flags.title.isEmpty)
        #expect(report.description == "title: no provider is named Nowhere; use one of Saved, Remote")
        try manager.insert(InMemoryProvider(name: "Another"))
        #expect(manager.diagnostics.current == [report])
        try manager.insert(InMemoryProvider(name: "Nowhere", values: ["title": "Found"]))
        #expect(manager.diagnostics.current.isEmpty && flags.title == "Found")
    }

    @Test("What one toggle's get closure computes is a property that the collection computes from the flag")
    func getClosure() async throws {
        let remote = InMemoryProvider(name: "Remote", values: ["hex": "#10"])
        let flags = FlagsLoader(Backed.self, providers: [remote])
        #expect(flags.colour == Colour(red: 16))
        remote.replaceValues(with: ["hex": "#20"])
        #expect(flags.colour == Colour(red: 32) && flags.snapshot().colour == Colour(red: 32))
    }

    @Test("A key is a path, through groups and elements of arrays")
    func kvcPath() throws {
        let value: [String: Any] = ["key1": ["key2": ["key3": "deep"], "list": [["name": "a"], ["name": "b"]]]]
        let flags = FlagsLoader(Deep.self, providers: [try InMemoryProvider(dictionary: value)])
        #expect(flags.text == "deep" && flags.name == "b")
    }

    @Test("An observable flag is a stream of its values without repetitions")
    func observable() async throws {
        var titles = flags.$title.values.makeAsyncIterator()
        for title in ["a", "a", "b"] { try flags.$title.set(title, in: "Actual") }
        #expect([await titles.next(), await titles.next(), await titles.next()] == ["", "a", "b"])
    }

    @Test("A property's key is its group's and its own, and groups nest")
    func groups() throws {
        provider.replaceValues(with: ["config": ["someProperty": "x", "inner": ["limit": 7]]])
        #expect(flags.config.someProperty == "x" && flags.config.inner.limit == 7)
        let dotted = FlagsLoader(
            Toggles.self, providers: [], keyConfiguration: KeyConfiguration(pathSeparator: "."))
        #expect(dotted.config.inner.$limit.keyPath.flatKey == "config.inner.limit")
    }

    @Test("An observable group is a stream of the values of its properties")
    func observableGroup() async throws {
        var configs = flags.$config.makeAsyncIterator()
        #expect(await configs.next()?.someProperty == "")
        provider.replaceValues(with: ["config": ["someProperty": "x", "inner": ["limit": 7]]])
        let next = try #require(await configs.next())
        #expect(next.someProperty == "x" && next.inner.limit == 7)
    }

    @Test("An integer component of a key path indexes an array")
    func arrayIndex() throws {
        let list: FlagValue = ["names": ["a", "b"]]
        provider.replaceValues(with: ["list": list])
        #expect(try provider.decode(String.self, at: keyPath("list", "names", "1")) == "b")
    }

    @Test("A dictionary is read by key path without exceptions: a missing key and a wrong type are told apart")
    func decoder() throws {
        let provider = try InMemoryProvider(dictionary: ["a": ["b": 1], "list": [1]])
        func error(_ components: String...) -> FlagDecodingError? {
            let key = FlagKeyPath(components: components)
            return #expect(throws: FlagDecodingError.self) { try provider.decode(Int.self, at: key) }
        }
        #expect(try provider.decode(Int.self, at: keyPath("a", "b")) == 1)
        #expect(error("a", "c")?.isKeyNotFound == true)
        #expect(error("list", "-1")?.isKeyNotFound == true && error("list", "1")?.isKeyNotFound == true)
        #expect(error("a")?.isTypeMismatch == true)
        #expect(error("a", "b", "c")?.isTypeMismatch == true)
    }

    @Test("All providers are set up, refreshed and torn down, and the first problem is thrown")
    func lifecycle() async throws {
        let providers = [NotedProvider("1"), NotedProvider("2", fails: true), NotedProvider("3", fails: true)]
        let manager = FlagsManager(providers: providers)
        await #expect(throws: NotedProvider.Failure(provider: "2")) { try await manager.setUp() }
        await #expect(throws: NotedProvider.Failure(provider: "2")) { try await manager.refresh() }
        await manager.tearDown()
        for provider in providers { #expect(provider.notes.withLock { $0 } == ["set up", "refresh", "tear down"]) }
    }

    @Test("An overridable provider reads its override first, and writes only that")
    func overridable() throws {
        let override = InMemoryProvider(name: "Override")
        let pair = OverridableProvider(provider: provider, override: override)
        let flags = FlagsLoader(Toggles.self, providers: [pair])
        provider.replaceValues(with: ["title": "actual"])
        #expect(flags.$title.setValue("changed").count == 1)
        #expect(flags.title == "changed")
        #expect(try override.store?.values == ["title": "changed"])
        #expect(try pair.hasOverride(at: flags.$title.keyPath), "the tag of a settings screen")
        try flags.$title.resetValue()
        #expect(flags.title == "actual")
    }

    @Test("Remote values count before one's own, where the pair is the other way round")
    func remoteOverrides() throws {
        let remote = try CodableProvider(name: "Remote", data: Data(#"{"title": "far"}"#.utf8))
        provider.replaceValues(with: ["title": "near", "theme": "dark"])
        let flags = FlagsLoader(
            Toggles.self, providers: [OverridableProvider(provider: provider, override: remote)])
        #expect(flags.title == "far" && flags.theme == .dark)
        #expect(flags.$title.setValue("mine").isEmpty && flags.title == "far")
    }

    @Test("A provider without values gives every default and takes no change")
    func defaultProvider() {
        let flags = FlagsLoader(Toggles.self, providers: [InMemoryProvider(isWritable: false)])
        #expect(flags.$isEnabled.setValue(true).isEmpty && !flags.isEnabled)
    }

    @Test("Remote JSON is decoded lazily, also under a nested key, and a value of the wrong type breaks no other")
    func codable() async throws {
        let remote = CodableProvider(name: "Remote", at: ["config"]) {
            Data(#"{"config": {"isEnabled": true, "title": 5, "theme": "dark"}}"#.utf8)
        }
        let flags = FlagsLoader(Toggles.self, providers: [remote])
        try await remote.setUp()
        #expect(flags.isEnabled && flags.title.isEmpty && flags.theme == .dark)
    }

    @Test("The load closure brings JSON of another structure into the form of the flags")
    func reshaped() async throws {
        let remote = CodableProvider(name: "Remote") {
            let data = Data(#"{"toggles": [{"id": "isEnabled", "on": true}, {"id": "other", "on": false}]}"#.utf8)
            struct Answer: Decodable {
                struct Toggle: Decodable { let id: String, on: Bool }
                let toggles: [Toggle]
            }
            let toggles = try JSONDecoder().decode(Answer.self, from: data).toggles
            return try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: toggles.map { ($0.id, $0.on) }))
        }
        let flags = FlagsLoader(Toggles.self, providers: [remote])
        #expect(!flags.isEnabled)
        try await remote.setUp()
        #expect(flags.isEnabled)
    }

    @Test("Defaults are changed and overrides set after creation")
    func withDefaults() {
        flags.$isEnabled.setDefault(true)
        flags.config.$someProperty.setDefault("default")
        flags.config.inner.$limit.setValue(9)
        #expect(flags.isEnabled && flags.config.someProperty == "default" && flags.config.inner.limit == 9)
    }

    @Test("A settings screen has each flag's key, description, providers, override and error, and resets all")
    func settings() throws {
        let manager = FlagsManager(providers: [provider])
        let flags = manager.addCollection(Toggles.self)
        provider.replaceValues(with: ["isEnabled": true, "title": 5])
        let title = try #require(manager.featureFlags.first { $0.keyPath.flatKey == "title" })
        #expect(title.description == "A title" && title.providers.map(\.name) == ["Actual"])
        let explanation = title.explain()
        #expect(explanation.resolution.isBroken && explanation.state == .byDefault)
        #expect(flags.$isEnabled.explain().resolution.isOverridden)
        try manager.resetAll()
        #expect(try provider.store?.values == [:])
    }

    @Test("A flag is handled without its type, to be changed, or only to be seen")
    func handles() throws {
        let flag: any AnyFlag = flags.$isEnabled
        try flag.setStoredValue(true, in: "Actual")
        #expect(flag.anyValue(from: nil) as? Bool == true)
        let shown = FlagsLoader(Toggles.self, providers: [ReadOnlyProvider(provider)])
        let onlyShown: any AnyFlag = shown.$isEnabled
        #expect(onlyShown.anyValue(from: nil) as? Bool == true && !onlyShown.hasWritableProvider)
        #expect(throws: FlagError.self) { try onlyShown.setStoredValue(false, in: "Actual") }
    }
}
