import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Testing

@Suite("The in-memory provider")
struct InMemoryProviderTests {
    @Test("It passes the conformance suite")
    func conforms() async throws {
        try await FlagsProviderConformance.check { InMemoryProvider() }
    }

    @Test("A read-only one passes the conformance suite")
    func conformsReadOnly() async throws {
        try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("a", "b"): .integer(1)]) {
            InMemoryProvider(values: ["a": .dictionary(["b": .integer(1)])], isWritable: false)
        }
    }

    @Test("A snapshot passes the conformance suite")
    func snapshotConforms() async throws {
        try await FlagsProviderConformance.check { FlagSnapshot() }
    }

    @Test("Replacing all values tells of those that differ alone")
    func replaces() async throws {
        let provider = InMemoryProvider(values: ["a": .integer(1), "b": .integer(2)])
        var updates = try #require(provider.updates).makeAsyncIterator()
        provider.replaceValues(with: ["a": .integer(1), "c": .integer(3)])
        #expect(await updates.next()?.keys == [keyPath("b"), keyPath("c")])
        #expect(try provider.storedValue(at: keyPath("b")) == nil)
    }

    @Test("A dictionary of Swift and Foundation values is taken over exactly")
    func takesDictionary() throws {
        let date = Date(timeIntervalSince1970: 5)
        let provider = try InMemoryProvider(
            dictionary: [
                "bool": true, "int": 1, "uint8": UInt8(255), "max": UInt64.max, "double": 1.0, "float": Float(0.5),
                "nsBool": NSNumber(value: true), "nsInt": NSNumber(value: 1), "nsDouble": NSNumber(value: 1.0),
                "nsFloat": NSNumber(value: Float(2)), "text": "1", "date": date, "data": Data([1]),
                "url": try #require(URL(string: "https://example.com")), "mode": StartMode.atLaunch,
                "optional": Optional<Any>.some(false) as Any, "value": FlagValue.integer(7),
                "group": ["list": [1, "x", ["deep": 2.5]] as [Any]] as [AnyHashable: Any],
            ])
        let expected: [String: FlagValue] = [
            "bool": .bool(true), "int": .integer(1), "uint8": .integer(255), "max": .integer(Int128(UInt64.max)),
            "double": .double(1), "float": .double(0.5), "nsBool": .bool(true), "nsInt": .integer(1),
            "nsDouble": .double(1), "nsFloat": .double(2), "text": .string("1"), "date": .date(date),
            "data": .data(Data([1])), "url": .string("https://example.com"), "mode": .string("atLaunch"),
            "optional": .bool(false), "value": .integer(7),
            "group": .dictionary(["list": .array([.integer(1), .string("x"), .dictionary(["deep": .double(2.5)])])]),
        ]
        for (name, value) in expected { #expect(try provider.storedValue(at: keyPath(name)) == value, "\(name)") }
        #expect(try provider.store?.values == expected)
    }

    @Test("A dictionary with what no flag can have is refused by its place")
    func refusesOthers() throws {
        let cases: [([String: Any], String)] = [
            (["a": ["b": NSNull()]], "a/b"), (["a": [1, Optional<Int>.none as Any]], "a/1"),
            (["a": Int128.max], "out of range, at a"), (["a": [1: "x"] as [AnyHashable: Any]], "is not a string, at a"),
            (["a": self], "InMemoryProviderTests"),
        ]
        for (dictionary, place) in cases {
            let problem = try #require(throws: FlagValueError.self) { try InMemoryProvider(dictionary: dictionary) }
            #expect(problem.description.contains(place))
        }
    }

    @Test("Several providers of one type are told apart by name")
    func namesTellApart() throws {
        let (remote, local) = (
            InMemoryProvider(name: "Remote", values: ["on": .bool(true)]), InMemoryProvider(name: "Local")
        )
        let flags = FlagsLoader(OneFlag.self, providers: [local, remote])
        #expect(flags.$on.flagValue(from: "Remote", fallback: false).value == true)
        #expect(flags.$on.flagValue(from: "Local", fallback: false).value == nil)
        try flags.$on.set(false, in: "Local")
        #expect(!flags.on)
        #expect(try remote.storedValue(at: keyPath("on")) == .bool(true))
        #expect(flags.$on.explain().resolution.source == .provider("Local"))
    }
}

/// A collection of one flag.
struct OneFlag: FlagCollectionProtocol {
    @Flag(description: "A flag") var on: Bool
}
