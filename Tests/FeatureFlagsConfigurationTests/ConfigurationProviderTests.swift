import Configuration
import FeatureFlags
import FeatureFlagsConfiguration
import FeatureFlagsTesting
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Configuration as flags")
struct ConfigurationProviderTests {
    enum Mode: String, CaseIterable, FlagProtocol { case never, always }

    struct ShopFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "") var quick: Bool
        @Flag(default: 3, description: "") var retries: Int
        @Flag(default: 1.5, description: "") var fee: Double
        @Flag(default: "none", description: "") var title: String
        @Flag(default: .never, description: "") var mode: Mode
        @Flag(default: [], description: "") var zones: [String]
        @Flag(default: [], description: "") var steps: [Int]
        @Flag(default: Data(), description: "") var key: Data
        @Flag(default: URL(filePath: "/"), description: "") var page: URL
        @Flag(default: [:], description: "") var limits: [String: Int]
    }

    private static func values(_ values: [String: ConfigContent]) -> Configuration.InMemoryProvider {
        Configuration.InMemoryProvider(
            name: "Configuration",
            values: Dictionary(
                uniqueKeysWithValues: values.map {
                    (
                        AbsoluteConfigKey($0.key.split(separator: ".").map(String.init)),
                        ConfigValue($0.value, isSecret: false)
                    )
                }))
    }

    @Test("It keeps the rules of read-only providers")
    func conformance() async throws {
        let seed: [FlagKeyPath: FlagValue] = [
            FlagKeyPath(components: ["a", "text"]): .string("x"),
            FlagKeyPath(components: ["a", "number"]): .integer(5),
            FlagKeyPath(components: ["real"]): .double(1.5), FlagKeyPath(components: ["on"]): .bool(true),
            FlagKeyPath(components: ["data"]): .data(Data([1])),
            FlagKeyPath(components: ["list"]): .array([.integer(1)]),
        ]
        try await FlagsProviderConformance.checkReadOnly(holding: seed) {
            ConfigurationProvider(
                Self.values([
                    "a.text": .string("x"), "a.number": .int(5), "real": .double(1.5), "on": .bool(true),
                    "data": .bytes([1]),
                    "list": .intArray([1]),
                ]))
        }
    }

    @Test("Each type of flag is read from a provider of typed values")
    func typed() {
        let flags = FlagsLoader(
            ShopFlags.self,
            providers: [
                ConfigurationProvider(
                    Self.values([
                        "quick": .bool(true), "retries": .int(5), "fee": .int(2), "title": .string("Shop"),
                        "mode": .string("always"), "zones": .stringArray(["n"]), "steps": .intArray([1, 2]),
                        "key": .bytes([7]),
                        "page": .string("https://example.com/"), "limits": .string("{\"a\":1}"),
                    ]))
            ])
        #expect(flags.quick && flags.retries == 5 && flags.fee == 2 && flags.title == "Shop" && flags.mode == .always)
        #expect(flags.zones == ["n"] && flags.steps == [1, 2] && flags.key == Data([7]))
        #expect(flags.page == URL(string: "https://example.com/") && flags.limits == ["a": 1])
    }

    @Test("Each type of flag is read from the environment, which is text")
    func environment() {
        let variables = [
            "SHOP_QUICK": "true", "SHOP_RETRIES": "5", "SHOP_FEE": "2.5", "SHOP_TITLE": "5", "SHOP_MODE": "always",
            "SHOP_ZONES": "n,s", "SHOP_STEPS": "1,2", "SHOP_KEY": "Bw==", "SHOP_PAGE": "https://example.com/",
        ]
        let provider = ConfigurationProvider(
            EnvironmentVariablesProvider(environmentVariables: variables), prefix: ["shop"], name: "Environment")
        let flags = FlagsLoader(ShopFlags.self, providers: [provider])
        #expect(flags.quick && flags.retries == 5 && flags.fee == 2.5 && flags.title == "5" && flags.mode == .always)
        #expect(flags.zones == ["n", "s"] && flags.steps == [1, 2] && flags.key == Data([7]))
        #expect(flags.page == URL(string: "https://example.com/"))
        #expect(flags.$retries.explain().resolution.source == .provider("Environment"))
    }

    @Test("What is absent goes on to the next provider, and what is broken is told")
    func order() throws {
        let files = try Files("<key>retries</key><integer>9</integer><key>mode</key><string>always</string>")
        let configuration = ConfigurationProvider(
            Self.values(["mode": .string("sometimes"), "quick": .string("perhaps")]), name: "Configuration")
        let flags = FlagsLoader(
            ShopFlags.self, providers: [configuration, LocalProvider(localURL: files.values, isWatched: false)])
        #expect(flags.retries == 9 && flags.mode == .always && !flags.quick)
        for resolution in [flags.$mode.explain().resolution, flags.$quick.explain().resolution] {
            guard case .broken? = resolution["Configuration"] else {
                Issue.record("\(resolution)")
                continue
            }
        }
    }

    @Test("A value that changes is read at once")
    func changes() {
        let source = MutableInMemoryProvider(name: "Live", initialValues: [:])
        let flags = FlagsLoader(ShopFlags.self, providers: [ConfigurationProvider(source)])
        #expect(flags.retries == 3)
        source.setValue(5, forKey: AbsoluteConfigKey(["retries"]))
        #expect(flags.retries == 5)
    }

    @Test("Flags as configuration are flags again")
    func roundTrip() throws {
        let files = try Files("<key>retries</key><integer>9</integer><key>quick</key><true/>")
        let flags = FlagsLoader(
            ShopFlags.self, providers: [ConfigurationProvider(try FlagsConfigProvider(values: files.values))])
        #expect(flags.retries == 9 && flags.quick)
    }
}
