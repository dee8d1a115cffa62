import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private final class Office: LocalProvider, @unchecked Sendable {}
private final class Home: LocalProvider, @unchecked Sendable {}
private final class Drawer: UserDefaults {}

private struct LampFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "Read everywhere")
    var brightness: Int

    @Flag(default: 0, excludedProviders: [Office.self, Drawer.self], description: "Not read from the office")
    var warmth: Int

    @Flag(default: 0, excludedProviderNames: ["Upper"], description: "Not read from one that is told by its name")
    var hue: Int

    @Flag(excludedProviderNames: ["Upper"], description: "The same of an optional type")
    var colour: String?
}

/// How providers are told apart, by their types as with RealFlags and by their names.
@Suite("Telling providers apart")
struct RealFlagsProvidersTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Two local files are told apart by classes of their own")
    func classes() throws {
        let (office, home) = (
            Office(localURL: folder.file("office.xml"), name: "Office"),
            Home(localURL: folder.file("home.xml"), name: "Home")
        )
        let flags = FlagsLoader(LampFlags.self, providers: [office, home])
        #expect(flags.$brightness.setValue(1, providers: [Home.self]).map(\.name) == ["Home"])
        #expect(flags.$brightness.setValue(2, providers: [Office.self]).map(\.name) == ["Office"])
        #expect(flags.$brightness.flagValue(from: Home.self, fallback: false).value == 1)
        #expect(flags.$brightness.flagValue(from: LocalProvider.self, fallback: false).value == nil, "a class exactly")
        flags.$warmth.setValue(3, providers: [Office.self])
        #expect(flags.warmth == 0)
        flags.$warmth.setValue(4)
        #expect(flags.$warmth.flagValue().source?.name == "Home")
        #expect(Office(name: "Memory", values: ["brightness": 5]).localURL == nil, "every initialiser is there")
    }

    @Test("Two local files are told apart by their names, where they are excluded and where they are set")
    func names() throws {
        let upper = LocalProvider(localURL: folder.file("upper.xml"), name: "Upper")
        let lower = LocalProvider(localURL: folder.file("lower.xml"), name: "Lower")
        let flags = FlagsLoader(LampFlags.self, providers: [upper, lower])
        #expect(flags.$brightness.setValue(7, providers: ["Lower"]).map(\.name) == ["Lower"])
        #expect(try upper.storedValue(at: key("brightness")) == nil)
        #expect(flags.$hue.setValue(1, providers: ["Upper", "Lower"]).map(\.name) == ["Upper", "Lower"])
        #expect(flags.$hue.flagValue().source?.name == "Lower")
        flags.$colour.setValue("red", providers: ["Upper"])
        #expect(flags.colour == nil)
        #expect(flags.$brightness.setValue(nil, providers: ["Lower"]).count == 1)
        #expect(flags.brightness == 0)
    }

    @Test("A name that no provider has is reported, and nothing is set")
    func unknownName() throws {
        let flags = FlagsLoader(LampFlags.self, providers: [LocalProvider(name: "Upper", values: [:])])
        #expect(flags.$brightness.setValue(7, providers: ["Uper"]).isEmpty)
        let report = try #require(flags.diagnostics.current.first)
        #expect(report.provider == "Uper" && report.problem.description.contains("Upper"))
    }

    @Test("UserDefaults and its subclasses stand in lists of types")
    func userDefaults() throws {
        let suite = "flagboard-\(UUID().uuidString)"
        let drawer = try #require(Drawer(suiteName: suite))
        defer { drawer.removePersistentDomain(forName: suite) }
        let flags = FlagsLoader(LampFlags.self, providers: [drawer, LocalProvider(name: "Local", values: [:])])
        #expect(flags.$brightness.setValue(55, providers: [Drawer.self]).map(\.name) == ["UserDefaults"])
        #expect(flags.$brightness.flagValue(from: Drawer.self, fallback: false).value == 55)
        #expect(flags.$brightness.setValue(56, providers: [UserDefaultsProvider.self]).count == 1)
        #expect(flags.$brightness.setValue(57, providers: [UserDefaults.self]).isEmpty, "a class exactly")
        #expect(flags.brightness == 56)
        drawer.set(9, forKey: "warmth")
        #expect(flags.warmth == 0, "excluded")
    }

    @Test("A missing folder is made by the first change, with those above it, and not by a reset")
    func missingFolder() async throws {
        let file = folder.file("a/b/flags.xml")
        let provider = LocalProvider(localURL: file)
        try provider.setStoredValue(nil, at: key("lamp/on"))
        try provider.resetAllData()
        #expect(try folder.names.isEmpty)
        try provider.setValue(true, forFlag: key("lamp/on"))
        #expect(try LocalProvider(localURL: file, name: "Other").storedValue(at: key("lamp/on")) == true)
        #expect(provider.lastGoodValue(at: try key("lamp/on")) == true)
        let elsewhere = LocalProvider(localURL: file, isWatched: false)
        try elsewhere.setValue(false, forFlag: key("lamp/on"))
        #expect(try elsewhere.storedValue(at: key("lamp/on")) == false)
    }

    @Test("A folder that can't be made is refused by the name of the file, and nothing is left behind")
    func unmakeableFolder() throws {
        try Data("text".utf8).write(to: folder.file("a"))
        let provider = LocalProvider(localURL: folder.file("a/b/flags.xml"))
        let error = try #require(throws: FileAccessError.self) { try provider.setStoredValue(true, at: key("on")) }
        #expect(error.description.contains("a/b/flags.xml"))
        #expect(try folder.names == ["a"])
    }
}
