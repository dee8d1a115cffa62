import FeatureFlags
import FeatureFlagsXML

// Collections and calls in the shape of those in RealFlags' documents. That this file compiles is a test of its own: where
// a RealFlags app has one import, it has two, and no other.

struct HouseFlags: FlagCollectionProtocol {
    @Flag(
        name: "Opening hours", key: "hours_per_day", default: 8, excludedProviders: [WeatherProvider.self],
        description: "How long the house is open")
    var openingHours: Int

    @Flag(key: "door_mode", description: "How the door opens")
    var doorMode: String?

    @Flag(default: true, description: "Whether the house is open at all")
    var isOpen: Bool

    @Flag(default: false, computedValue: HouseFlags.computedHasLight, description: "")
    var hasLight: Bool

    @Flag(
        default: 2.5,
        description: .init(
            name: "Room height", description: "In metres", order: 7, isInternal: true, uiIcon: "ruler", isLocked: true))
    var ceiling: Double

    @Flag(default: false, description: "Whether the way to my URL is the second one")
    var myURLPath2Go: Bool

    @FlagCollection(description: "What can be cooked")
    var kitchen: KitchenFlags

    @FlagCollection(
        name: "Upstairs", key: nil, keyConfiguration: .default, description: .init(name: nil, description: "Beds"),
        uiRepresentation: .asSection)
    var upperFloor: RoomFlags

    @FlagCollection(keyConfiguration: .kebabCase, description: "Boxes")
    var roofSpace: RoomFlags

    @FlagCollection(keyConfiguration: .snakeCase, description: "Wine")
    var coldCellar: RoomFlags

    @FlagCollection(keyConfiguration: .skip, description: "No part of key paths")
    var everywhere: PlainFlags

    @FlagCollection(keyConfiguration: .custom("Yard #1"), description: "Outside")
    var courtyard: RoomFlags

    init() {}

    private static func computedHasLight() -> Bool? { HouseWeather.isDark ? true : nil }
}

struct KitchenFlags: FlagCollectionProtocol {
    @Flag(default: .soup, description: "What is for lunch")
    var lunch: Lunch

    @Flag(key: "table_layout", default: nil, description: "Where everybody sits (JSON)")
    var tableLayout: JSONData?

    @Flag(default: Seat(row: 1, column: 2), description: "The cook's place")
    var cook: Seat

    @Flag(key: "spices/all.hot", default: ["pepper"], description: "A key that looks like a path")
    var spices: [String]

    @FlagCollection(description: "Deeper still")
    var oven: RoomFlags
}

struct RoomFlags: FlagCollectionProtocol {
    @Flag(default: 20, description: "In degrees")
    var roomTemperature: Int
}

struct PlainFlags: FlagCollectionProtocol {
    @Flag(default: "Welcome", description: "Said at the door")
    var greeting: String
}

enum Lunch: String, CaseIterable, FlagProtocol { case soup, salad }

struct Seat: Hashable {
    var row: Int
    var column: Int
}

/// A type that is made `Codable` beside its declaration, as the documents do with a coordinate.
extension Seat: FlagProtocol, Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(row)
        try container.encode(column)
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let row = try container.decode(Int.self)
        let column = try container.decode(Int.self)
        self.init(row: row, column: column)
    }
}

/// A read-only provider, in the place of a remote one.
struct WeatherProvider: FlagsProvider {
    let name = "Weather"
    let isWritable = false
    var values: [String: FlagValue] = [:]

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { values[key.flatKey] }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueError("the weather can't be set")
    }
}

enum HouseWeather {
    @TaskLocal static var isDark = false
}

/// An app as the documents build one around a manager.
final class HouseApp {
    let localProvider = LocalProvider()

    lazy var flagsManager: FlagsManager = {
        let config = KeyConfiguration(prefix: "my_house", pathSeparator: "/", keyTransform: .snakeCase)
        let manager = FlagsManager(
            providers: [localProvider, WeatherProvider()],
            keyConfiguration: config
        )
        manager.addCollection(KitchenFlags.self)
        manager.addCollection(RoomFlags.self)
        return manager
    }()

    var houseFlags: FlagsLoader<HouseFlags> {
        flagsManager.addCollection(HouseFlags.self)
    }

    /// Each call on a flag and on a provider that the documents show, with every label.
    func changeEverything() throws {
        let json = JSONData(["column": 5, "showDesc": true, "title": true])
        let flags = houseFlags
        flags.$doorMode.setValue("revolving", providers: [LocalProvider.self])
        flags.kitchen.$tableLayout.setValue(json, providers: [LocalProvider.self])
        try localProvider.setValue(json, forFlag: flags.kitchen.$tableLayout.keyPath)
        flags.$openingHours.setDefault(9)
        try? flags.$isOpen.resetValue()
        flagsManager.removeCollection(forType: RoomFlags.self)
    }
}

/// Loaders as the documents make them.
func loaders(_ first: some FlagsProvider, _ second: some FlagsProvider) -> [FlagsLoader<HouseFlags>] {
    [
        FlagsLoader(HouseFlags.self, providers: [first, second]),
        FlagsLoader<HouseFlags>(
            HouseFlags.self, description: .init(name: "The house", description: "All its flags"),
            providers: [first, second], keyConfiguration: KeyConfiguration()),
        FlagsLoader(HouseFlags.self, description: "All flags", dynamicProviders: { [first, second] }),
    ]
}
