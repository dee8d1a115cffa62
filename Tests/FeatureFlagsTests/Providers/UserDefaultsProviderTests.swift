import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Testing

private struct Counted: FlagCollectionProtocol {
    @Flag("A number") var count = 0
}

@Suite("The UserDefaults provider")
struct UserDefaultsProviderTests {
    private let suite = TemporarySuite()

    @Test("It passes the conformance suite, with flat keys")
    func conforms() async throws {
        let limits = FlagsProviderConformance.Limits(hasFlatKeys: true) { $0 != .string("\u{FEFF}x") }
        try await FlagsProviderConformance.check(limits) {
            // A prefix of its own makes each of one suite empty.
            try UserDefaultsProvider(suiteName: suite.name, keyPrefix: UUID().uuidString)
        }
    }

    @Test("A read-only one passes the conformance suite")
    func conformsReadOnly() async throws {
        try suite.defaults.set(true, forKey: "ui/blue")
        try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("ui", "blue"): .bool(true)]) {
            try UserDefaultsProvider(suiteName: suite.name, isWritable: false)
        }
    }

    @Test("What apps store with Foundation is read by its exact kind")
    func readsExactly() throws {
        let defaults = try suite.defaults
        let date = Date(timeIntervalSince1970: 1_769_860_800)
        defaults.set(true, forKey: "bool")
        defaults.set(1, forKey: "int")
        defaults.set(1.0, forKey: "double")
        defaults.set(Float(2), forKey: "float")
        defaults.set(NSNumber(value: UInt64.max), forKey: "max")
        defaults.set(date, forKey: "date")
        defaults.set(Data([1, 2]), forKey: "data")
        defaults.set([1, true, "x", ["deep": [2.5]]] as [Any], forKey: "list")
        defaults.set(["on": false, "count": 0] as [String: Any], forKey: "group")
        let provider = UserDefaultsProvider(defaults)
        let expected: [String: FlagValue] = [
            "bool": .bool(true), "int": .integer(1), "double": .double(1), "float": .double(2),
            "max": .integer(Int128(UInt64.max)), "date": .date(date), "data": .data(Data([1, 2])),
            "list": .array([
                .integer(1), .bool(true), .string("x"), .dictionary(["deep": .array([.double(2.5)])]),
            ]),
            "group": .dictionary(["on": .bool(false), "count": .integer(0)]),
        ]
        for (name, value) in expected { #expect(try provider.storedValue(at: keyPath(name)) == value, "\(name)") }
    }

    @Test("Each change is in the suite's file at once, under the flat key")
    func saves() throws {
        let provider = try UserDefaultsProvider(suiteName: suite.name, keyPrefix: "app.")
        let key = FlagKeyPath(components: ["ui", "blue"], separator: "-")
        try provider.setStoredValue(.array([.bool(true), .integer(1), .double(1)]), at: key)
        #expect(try content["app.ui-blue"] == .array([.bool(true), .integer(1), .double(1)]))
        try provider.setStoredValue(nil, at: key)
        #expect(try content.isEmpty)
    }

    @Test("A refresh sees what others wrote to the file")
    func refreshes() async throws {
        let provider = try UserDefaultsProvider(suiteName: suite.name)
        try provider.setStoredValue(.integer(1), at: keyPath("count"))
        try PropertyListSerialization.data(fromPropertyList: ["count": 2], format: .xml, options: 0)
            .write(to: suite.file)
        try await provider.refresh()
        #expect(try provider.storedValue(at: keyPath("count")) == .integer(2))
    }

    @Test("A steady one is asked once, and again after its own changes, another provider's and a refresh")
    func remembers() async throws {
        let provider = try UserDefaultsProvider(suiteName: suite.name, isSteady: true)
        let flags = FlagsLoader(Counted.self, providers: [provider])
        #expect(flags.$count.explain().askedAtEachRead.isEmpty)
        try flags.$count.set(1)
        #expect(flags.count == 1)
        // A steady provider needn't notice what other code sets: only a refresh, or any change elsewhere, shows it.
        try suite.defaults.set(2, forKey: "count")
        try await provider.refresh()
        #expect(flags.count == 2)
        try UserDefaultsProvider(suiteName: suite.name, name: "Other").setStoredValue(.integer(3), at: keyPath("count"))
        #expect(flags.count == 3)
        try flags.$count.set(nil, in: provider)
        #expect(flags.count == 0)
        let asked = FlagsLoader(Counted.self, providers: [try UserDefaultsProvider(suiteName: suite.name)])
        #expect(asked.$count.explain().askedAtEachRead == [suite.name])
    }

    @Test(
        "What a property list can't hold is refused, and the old value stays",
        arguments: [
            .integer(Int128(UInt64.max) + 1), .integer(.min), .string("a\u{0}b"), .string("\u{1B}[0m"),
            .string("\u{FFFE}"), .string("\u{FEFF}x"), .array([.string("\u{8}")]), .dictionary(["\u{1}": .bool(true)]),
            .date(Date(timeIntervalSince1970: .nan)), .date(Date(timeIntervalSince1970: 1e15)),
        ] as [FlagValue])
    func refuses(value: FlagValue) throws {
        let provider = try UserDefaultsProvider(suiteName: suite.name)
        try provider.setStoredValue(.bool(true), at: keyPath("a"))
        #expect(throws: FlagValueError.self) { try provider.setStoredValue(value, at: keyPath("a")) }
        #expect(try provider.storedValue(at: keyPath("a")) == .bool(true))
        #expect(throws: FlagValueError.self) { try provider.setStoredValue(.bool(true), at: keyPath("a\u{1}")) }
        #expect(try content == ["a": .bool(true)])
    }

    @Test("RealFlags: any UserDefaults instance stands in a list of providers, under its flat keys")
    func standsInList() throws {
        let defaults = try suite.defaults
        defaults.set(true, forKey: "app/on")
        let keys = KeyConfiguration(prefix: "app")
        let loader = FlagsLoader(OneFlag.self, providers: [defaults, InMemoryProvider()], keyConfiguration: keys)
        #expect(loader.on)
        #expect(loader.$on.explain().resolution.source == .provider("UserDefaults"))
        #expect(loader.$on.setValue(false, providers: [UserDefaultsProvider.self]).count == 1)
        #expect(defaults.object(forKey: "app/on") as? Bool == false)
        #expect(!loader.on)
        try loader.$on.resetValue()
        #expect(defaults.object(forKey: "app/on") == nil)
        let manager = FlagsManager(providers: [UserDefaults.standard])
        #expect(manager.providers.map(\.shortDescription) == ["The standard UserDefaults"])
    }

    @Test("RealFlags: a Codable flag and one of each simple type are stored and read back")
    func storesTypes() throws {
        let provider = try UserDefaultsProvider(suiteName: suite.name)
        let layout = PageLayout(columns: [1, nil], title: "x")
        let url = try #require(URL(string: "https://example.com/a?b=c"))
        try provider.setValue(layout, forFlag: keyPath("layout"))
        try provider.setValue(url, forFlag: keyPath("url"))
        try provider.setValue(StartMode.atLaunch, forFlag: keyPath("mode"))
        try provider.setValue(Float(0.1), forFlag: keyPath("float"))
        try provider.setValue(JSONData(["a": ["b": 1]]), forFlag: keyPath("json"))
        #expect(try provider.value(of: PageLayout.self, at: keyPath("layout")) == layout)
        #expect(try provider.value(of: URL.self, at: keyPath("url")) == url)
        #expect(try provider.value(of: StartMode.self, at: keyPath("mode")) == .atLaunch)
        #expect(try provider.value(of: Float.self, at: keyPath("float")) == 0.1)
        #expect(try provider.value(of: JSONData.self, at: keyPath("json"))?.valueForKey("a.b") == 1)
    }

    @Test("Override: its stored ON, OFF and Default are read, and written, below its prefix")
    func readsOverride() throws {
        let defaults = try suite.defaults
        for (key, text) in [("blueText", "ON"), ("logging", "OFF"), ("tabs", "Default"), ("odd", "maybe")] {
            defaults.set(text, forKey: "Override_\(key)")
        }
        let provider = UserDefaultsProvider(defaults, keyPrefix: "Override_", form: .override)
        #expect(try provider.value(of: Bool.self, at: keyPath("blueText")) == true)
        #expect(try provider.value(of: Bool.self, at: keyPath("logging")) == false)
        #expect(try provider.value(of: Bool.self, at: keyPath("tabs")) == nil)
        #expect(throws: FlagValueError.self) { try provider.value(of: Bool.self, at: keyPath("odd")) }
        try provider.setValue(true, forFlag: keyPath("logging"))
        try provider.setValue(false, forFlag: keyPath("blueText"))
        try provider.setValue(nil as Bool?, forFlag: keyPath("odd"))
        #expect(throws: FlagValueError.self) { try provider.setValue(1, forFlag: keyPath("tabs")) }
        #expect(
            try content == [
                "Override_logging": .string("ON"), "Override_blueText": .string("OFF"),
                "Override_tabs": .string("Default"),
            ])
    }

    @Test("Override's form passes the conformance suite for booleans alone")
    func overrideConforms() async throws {
        let limits = FlagsProviderConformance.Limits(hasFlatKeys: true) { $0.kind == "boolean" }
        try await FlagsProviderConformance.check(limits) {
            try UserDefaultsProvider(suiteName: suite.name, keyPrefix: UUID().uuidString, form: .override)
        }
    }

    /// What the suite's file holds.
    private var content: [String: FlagValue] {
        get throws {
            guard FileManager.default.fileExists(atPath: suite.file.path) else { return [:] }
            let object = try PropertyListSerialization.propertyList(from: Data(contentsOf: suite.file), format: nil)
            return try #require(InMemoryProvider(dictionary: object as? [String: Any] ?? [:]).store).values
        }
    }
}
