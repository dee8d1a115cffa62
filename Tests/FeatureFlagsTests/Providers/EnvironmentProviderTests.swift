import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Testing

@Suite("The environment provider")
struct EnvironmentProviderTests {
    @Test("It passes the conformance suite")
    func conforms() async throws {
        try await FlagsProviderConformance.checkReadOnly(
            holding: [keyPath("ui", "blue-text"): .string("true"), keyPath("a"): .string("")]
        ) { EnvironmentProvider(prefix: "X_", environment: ["X_UI__BLUE_TEXT": "true", "X_A": "", "A": "no"]) }
    }

    @Test("The process's own environment is read")
    func readsProcess() throws {
        let provider = EnvironmentProvider()
        let value = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(try provider.value(of: String.self, at: keyPath("path")) == value)
    }

    @Test(
        "A variable is named by the documented rule",
        arguments: [
            (["ui", "blue_text"], "", "UI__BLUE_TEXT"), (["ui", "blue-text"], "SHOP_", "SHOP_UI__BLUE_TEXT"),
            (["blueText"], "", "BLUETEXT"), (["a b", "c.d", "e/f"], "", "A_B__C_D__E_F"), (["größe"], "", "GR__E"),
            (["e\u{301}"], "", "E_"), (["👩‍👩‍👧"], "", "_____"), (["2go"], "", "_2GO"), (["2go"], "X", "X2GO"),
            ([""], "", ""),
            (["", ""], "", "__"), (["A1"], "pre.", "pre.A1"),
        ] as [([String], String, String)])
    func names(components: [String], prefix: String, variable: String) {
        let provider = EnvironmentProvider(prefix: prefix, environment: [:])
        #expect(provider.variable(for: FlagKeyPath(components: components)) == variable)
    }

    @Test("A variable's text is read as the flag's type")
    func readsTypes() throws {
        let provider = EnvironmentProvider(environment: [
            "BOOL": "on", "INT": "-12", "BYTE": "255", "DOUBLE": "1e3", "DATE": "2026-01-31T12:00:00Z",
            "URL": "https://example.com", "DATA": "AQI=", "LIST": "[1, 2]", "MAP": #"{"a": true}"#, "MODE": "atLaunch",
            "LAYOUT": #"{"columns": [1, null]}"#, "JSON": #"{"a": {"b": [null, 2]}}"#, "TEXT": "true",
        ])
        #expect(try provider.value(of: Bool.self, at: keyPath("bool")) == true)
        #expect(try provider.value(of: Int.self, at: keyPath("int")) == -12)
        #expect(try provider.value(of: UInt8.self, at: keyPath("byte")) == 255)
        #expect(try provider.value(of: Double.self, at: keyPath("double")) == 1000)
        #expect(try provider.value(of: Date.self, at: keyPath("date")) == Date(timeIntervalSince1970: 1_769_860_800))
        #expect(try provider.value(of: URL.self, at: keyPath("url"))?.host == "example.com")
        #expect(try provider.value(of: Data.self, at: keyPath("data")) == Data([1, 2]))
        #expect(try provider.value(of: [Int].self, at: keyPath("list")) == [1, 2])
        #expect(try provider.value(of: [String: Bool].self, at: keyPath("map")) == ["a": true])
        #expect(try provider.value(of: StartMode.self, at: keyPath("mode")) == .atLaunch)
        #expect(try provider.value(of: PageLayout.self, at: keyPath("layout")) == PageLayout(columns: [1, nil]))
        #expect(try provider.value(of: JSONData.self, at: keyPath("json"))?.valueForKey("a.b.1") == 2)
        #expect(try provider.value(of: String.self, at: keyPath("text")) == "true")
        #expect(try provider.value(of: Int?.self, at: keyPath("int")) == -12)
        #expect(try provider.value(of: Bool.self, at: keyPath("absent")) == nil)
    }

    @Test("Text that says no value of the type is broken, with the variable's name")
    func reportsBroken() throws {
        let provider = EnvironmentProvider(prefix: "X_", environment: ["X_A": "abc"])
        let texts = [
            try problem { try provider.value(of: Bool.self, at: keyPath("a")) },
            try problem { try provider.value(of: Int.self, at: keyPath("a")) },
            try problem { try provider.value(of: Data.self, at: keyPath("a")) },
            try problem { try provider.value(of: [Int].self, at: keyPath("a")) },
            try problem { try provider.value(of: PageLayout.self, at: keyPath("a")) },
        ]
        for text in texts { #expect(text.hasPrefix("the variable X_A is string \"abc\", expected ")) }
        let loader = FlagsLoader(
            OneFlag.self, providers: [EnvironmentProvider(environment: ["ON": "2"]), InMemoryProvider()])
        #expect(!loader.on)
        #expect(loader.diagnostics.current.map(\.provider) == ["Environment"])
    }

    @Test("Two key paths of one variable are found, and both broken once both are asked for")
    func findsCollisions() throws {
        let provider = EnvironmentProvider(environment: ["A_B": "1", "C": "1"])
        let keys = [keyPath("a.b"), keyPath("a_b"), keyPath("a", "b"), keyPath("c"), keyPath("a.b")]
        #expect(provider.collisions(among: keys) == ["A_B": [keyPath("a.b"), keyPath("a_b")]])
        #expect(try provider.value(of: Int.self, at: keyPath("a.b")) == 1)
        let text = try problem { try provider.value(of: Int.self, at: keyPath("a_b")) }
        #expect(text == "the variable A_B is used for both a_b and a.b; change one of the keys")
        #expect(throws: FlagValueError.self) { try provider.storedValue(at: keyPath("a.b")) }
        #expect(throws: FlagValueError.self) { try provider.storedValue(at: keyPath("A.B")) }
        #expect(try provider.value(of: Int.self, at: keyPath("c")) == 1)
    }

    private func problem(_ action: () throws -> Any?) throws -> String {
        try #require(throws: FlagValueError.self) { _ = try action() }.description
    }
}
