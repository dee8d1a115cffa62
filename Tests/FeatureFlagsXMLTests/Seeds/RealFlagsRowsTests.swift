import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

/// What section 1 of the list of seed systems says of RealFlags, a test for each claim.
@Suite("RealFlags", .timeLimit(.minutes(10)))
struct RealFlagsRowsTests {
    private let folder: TemporaryFolder
    private let first = LocalProvider(name: "First", values: [:])
    private let second = LocalProvider(name: "Second", values: [:])
    private let flags: FlagsLoader<HouseFlags>

    init() throws {
        folder = try TemporaryFolder()
        flags = FlagsLoader(HouseFlags.self, providers: [first, WeatherProvider(), second])
    }

    @Test("A flag takes name, key, default, excluded providers, computed value and the required description")
    func declaration() {
        #expect(flags.$openingHours.name == "Opening hours")
        #expect(flags.$openingHours.keyPath.flatKey == "hours_per_day")
        #expect(flags.$openingHours.defaultValue == 8)
        #expect(flags.$openingHours.excludedProviders?.count == 1)
        #expect(flags.$hasLight.computedValue != nil)
        #expect(flags.$openingHours.description == "How long the house is open", "a text alone is the description")
        #expect(flags.doorMode == nil, "the default of an optional")
    }

    @Test("The wrapped value is get-only, and $ is the flag")
    func getOnly() {
        let keyPath: PartialKeyPath<HouseFlags> = \HouseFlags.isOpen
        #expect(!(keyPath is WritableKeyPath<HouseFlags, Bool>))
        let flag: Flag<Bool> = flags.$isOpen
        #expect(flag.wrappedValue == flags.isOpen)
    }

    @Test("A computed value wins, and its source is nil; where it is nil the providers are asked")
    func computedValue() {
        first.set(false, flags.$hasLight)
        HouseWeather.$isDark.withValue(true) {
            #expect(flags.hasLight)
            #expect(flags.$hasLight.flagValue().value == true && flags.$hasLight.flagValue().source == nil)
        }
        #expect(!flags.hasLight)
        #expect(flags.$hasLight.flagValue().source?.name == "First")
    }

    @Test("Providers are asked in order, then the default is the value")
    func order() throws {
        first.set(1, flags.kitchen.oven.$roomTemperature)
        second.set(2, flags.kitchen.oven.$roomTemperature)
        #expect(flags.kitchen.oven.roomTemperature == 1)
        try first.resetAllData()
        #expect(flags.kitchen.oven.roomTemperature == 2)
        try second.resetAllData()
        #expect(flags.kitchen.oven.roomTemperature == 20)
        #expect(flags.kitchen.oven.$roomTemperature.valueDescription().value == "20")
        #expect(flags.kitchen.oven.$roomTemperature.valueDescription().sourceProvider == nil)
    }

    @Test("An excluded provider is skipped")
    func excluded() {
        let weather = WeatherProvider(values: ["hours_per_day": 1, "is_open": false])
        let flags = FlagsLoader(HouseFlags.self, providers: [weather, second])
        #expect(!flags.isOpen)
        #expect(flags.openingHours == 8)
    }

    @Test("flagValue(from:fallback:) gives value and source of one provider, and the fallback where it has none")
    func oneProvider() {
        second.set(3, flags.$openingHours)
        let (value, source) = flags.$openingHours.flagValue(from: LocalProvider.self)
        #expect(value == 3 && source?.name == "Second")
        #expect(flags.$openingHours.flagValue(from: InMemoryProvider.self).value == 8, "not among the providers")
        #expect(flags.$openingHours.flagValue(from: InMemoryProvider.self, fallback: false).value == nil)
        #expect(flags.$openingHours.flagValue(from: nil, fallback: false).value == 3)
    }

    @Test("setValue without a list sets every writable provider that is not excluded, and nil removes")
    func setValue() throws {
        #expect(flags.$isOpen.setValue(false).map(\.name) == ["First", "Second"])
        #expect(first.lastGoodValue(at: flags.$isOpen.keyPath) == false)
        #expect(flags.$isOpen.setValue(nil, providers: [LocalProvider.self]).count == 2)
        #expect(try first.storedValue(at: flags.$isOpen.keyPath) == nil)
        #expect(flags.isOpen)
    }

    @Test("setValue returns the providers that took the value: not a read-only one")
    func setValueRefused() {
        #expect(flags.$isOpen.setValue(false, providers: [WeatherProvider.self]).isEmpty)
        #expect(flags.isOpen)
    }

    @Test("setDefault changes the default, and resetValue removes the value from every writable provider")
    func defaultsAndReset() throws {
        flags.$openingHours.setDefault(10)
        #expect(flags.openingHours == 10)
        flags.$openingHours.setValue(1)
        try flags.$openingHours.resetValue()
        #expect(flags.openingHours == 10)
        #expect(try second.storedValue(at: flags.$openingHours.keyPath) == nil)
    }

    @Test(
        "The key configuration makes key paths of the names of properties, the prefix being a component",
        arguments: [
            (KeyConfiguration(), "my_urlpath2_go", "upper_floor/room_temperature"),
            (
                KeyConfiguration(prefix: "house_", pathSeparator: ".", keyTransform: .kebabCase),
                "house_.my-urlpath2-go", "house_.upper-floor.room-temperature"
            ),
            (KeyConfiguration(keyTransform: .none), "myURLPath2Go", "upperFloor/roomTemperature"),
        ])
    func keyConfiguration(configuration: KeyConfiguration, top: String, nested: String) {
        let flags = FlagsLoader(HouseFlags.self, providers: [], keyConfiguration: configuration)
        #expect(flags.$myURLPath2Go.keyPath.flatKey == top)
        #expect(flags.upperFloor.$roomTemperature.keyPath.flatKey == nested)
    }

    @Test("A flag's key replaces the leaf only, untransformed and never split")
    func fixedKey() {
        #expect(flags.kitchen.$spices.keyPath.components == ["kitchen", "spices/all.hot"])
    }

    @Test("A group is in key paths as it says: default, kebab case, snake case, skipped, custom")
    func groups() {
        #expect(flags.upperFloor.$roomTemperature.keyPath.components == ["upper_floor", "room_temperature"])
        #expect(flags.roofSpace.$roomTemperature.keyPath.components == ["roof-space", "room_temperature"])
        #expect(flags.coldCellar.$roomTemperature.keyPath.components == ["cold_cellar", "room_temperature"])
        #expect(flags.everywhere.$greeting.keyPath.components == ["greeting"])
        #expect(flags.courtyard.$roomTemperature.keyPath.components == ["Yard #1", "room_temperature"])
        #expect(flags.kitchen.oven.$roomTemperature.keyPath.components == ["kitchen", "oven", "room_temperature"])
        #expect(flags.$upperFloor.uiRepresentation == .asSection && flags.$upperFloor.name == "Upstairs")
    }

    @Test("Loaders take a list of providers, or a closure that gives it, and members are looked up dynamically")
    func loading() {
        for loader in loaders(first, second) {
            second.set("Hello", loader.everywhere.$greeting)
            #expect(loader.everywhere.greeting == "Hello")
        }
    }

    @Test("A loader lists its flags flat and as a tree, and describes itself")
    func listing() {
        #expect(flags.featureFlags.count == 16)
        #expect(flags.tree.count == 12)
        #expect(flags.tree.flatMap(\.flags).map(\.keyPath) == flags.featureFlags.map(\.keyPath))
        #expect(flags.debugDescription.contains("hours_per_day=8"))
    }

    @Test("A manager holds one loader for each type of collection, with its providers and key configuration")
    func manager() throws {
        let app = HouseApp()
        #expect(app.houseFlags === app.houseFlags)
        #expect(app.flagsManager.loader(forType: RoomFlags.self) != nil)
        try app.changeEverything()
        #expect(app.flagsManager.loader(forType: RoomFlags.self) == nil)
        #expect(app.houseFlags.doorMode == "revolving")
        #expect(app.houseFlags.openingHours == 9)
        #expect(app.houseFlags.kitchen.tableLayout?.valueForKey("column") == 5)
        #expect(app.houseFlags.$doorMode.keyPath.flatKey == "my_house/door_mode")
    }

    @Test("Any provider has a name, a description, values by key, and a stream of updates that includes resets")
    func provider() async throws {
        let provider: any FlagsProvider = LocalProvider(localURL: folder.file("flags.xml"))
        let key = flags.$openingHours.keyPath
        var updates = try #require(provider.updates).makeAsyncIterator()
        #expect(provider.name == "Local" && provider.shortDescription?.contains("flags.xml") == true)
        #expect(provider.isWritable)
        let taken: Bool = try provider.setValue(5, forFlag: key)
        #expect(taken && provider.lastGoodValue(at: key) == 5)
        try provider.resetValue(at: key)
        for expected in [FlagValue.integer(5), nil] {
            let update = try #require(await updates.next())
            #expect(update.keys == [key])
            #expect(try update.value(at: key) == expected)
        }
    }

    @Test("A local provider of a file saves after every set and reset; one without a file is ephemeral")
    func localProvider() throws {
        let file = folder.file("flags.xml")
        let provider = LocalProvider(localURL: file)
        provider.set(5, flags.$openingHours)
        #expect(LocalProvider(localURL: file).lastGoodValue(at: flags.$openingHours.keyPath) == 5)
        try provider.resetValue(at: flags.$openingHours.keyPath)
        #expect(try LocalProvider(localURL: file).storedValue(at: flags.$openingHours.keyPath) == nil)
        provider.set(5, flags.$openingHours)
        try provider.saveToDisk()
        try provider.resetAllData()
        #expect(try LocalProvider(localURL: file).storedValue(at: flags.$openingHours.keyPath) == nil)
        #expect(LocalProvider().localURL == nil && LocalProvider(name: "Named").name == "Named")
    }

    @Test("A local provider takes values as literals, and a dictionary of any values where these can be a flag's")
    func localValues() throws {
        let literal = LocalProvider(
            name: "Literal", values: ["hours_per_day": 5, "kitchen": ["lunch": "salad", "spices/all.hot": ["a\(1)"]]])
        let flags = FlagsLoader(HouseFlags.self, providers: [literal])
        #expect(flags.openingHours == 5 && flags.kitchen.lunch == .salad && flags.kitchen.spices == ["a1"])
        let values: [String: Any] = ["when": Date(timeIntervalSince1970: 0), "size": 1.5, "list": [1, "a", true]]
        let provider = try LocalProvider(name: "Any", values: values)
        #expect(provider.lastGoodValue(at: try key("when")) == Date(timeIntervalSince1970: 0))
        #expect(try provider.storedValue(at: key("list")) == [1, "a", true])
        #expect(throws: FlagValueError.self) { try LocalProvider(values: ["folder": folder]) }
    }

    @Test("A delegate provider forwards to its delegate, which it holds weakly")
    func delegate() throws {
        var delegate: Echo? = Echo()
        let provider = DelegateProvider(name: "Echo", delegate: delegate)
        let flags = FlagsLoader(PlainFlags.self, providers: [provider])
        #expect(flags.greeting == "greeting")
        #expect(flags.$greeting.setValue("x").count == 1)
        delegate = nil
        #expect(flags.greeting == "Welcome")
        #expect(flags.$greeting.setValue("x").isEmpty)
    }

    @Test("A remote provider is read-only, and its changes are told when data is fetched")
    func remote() async throws {
        let remote = CodableProvider(name: "Remote") { Data(#"{"greeting": "From afar"}"#.utf8) }
        let manager = FlagsManager(providers: [remote])
        let flags = manager.addCollection(PlainFlags.self)
        var greetings = flags.$greeting.values.makeAsyncIterator()
        #expect(await greetings.next() == "Welcome")
        try await manager.setUp()
        #expect(await greetings.next() == "From afar")
        #expect(!remote.isWritable && flags.$greeting.setValue("x").isEmpty)
    }

    @Test("Metadata has name, description, order, internal, locked and icon, and a lock stops tools only")
    func metadata() {
        let flag = flags.$ceiling
        #expect(flag.name == "Room height" && flag.description == "In metres")
        #expect(flag.metadata.order == 7 && flag.metadata.isInternal && flag.metadata.uiIcon == "ruler")
        #expect(flag.isLocked && !flag.hasWritableProvider)
        #expect(flag.setValue(3).count == 2 && flags.ceiling == 3)
    }
}

extension LocalProvider {
    /// Sets a value as the documents do, through the provider.
    fileprivate func set<Value: FlagProtocol>(_ value: Value, _ flag: Flag<Value>) {
        #expect(throws: Never.self) { try setValue(value, forFlag: flag.keyPath) }
    }
}

/// A delegate whose every text is the key's.
private final class Echo: DelegateProviderProtocol {
    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { key.leaf as? Value }

    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool { true }

    func resetValueForFlag(_ key: FlagKeyPath) throws {}
}
