import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Synchronization
import Testing

/// A provider as RealFlags' document has one written: a value of the flag's own type is got and set.
private final class TypedStore: TypedFlagsProvider {
    let name: String
    let isWritable: Bool
    private let values: Mutex<[String: any FlagProtocol]>

    init(name: String = "Typed", _ values: [String: any FlagProtocol] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        self.values = Mutex(values)
    }

    func valueForFlag<Value>(key: FlagKeyPath) -> Value? where Value: FlagProtocol {
        values.withLock { $0[key.text] as? Value }
    }

    func setValue<Value>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool where Value: FlagProtocol {
        guard isWritable else { return false }
        values.withLock { $0[key.text] = value }
        return true
    }
}

private struct Sizes: FlagCollectionProtocol {
    @Flag(default: 1, description: "A number") var number: Int
    @Flag(default: [:], description: "By name") var byName: [String: [Int]]
    @Flag(description: "A text, or none") var text: String?
}

/// What RealFlags' document says of providers of one's own.
@Suite("RealFlags: a provider of two methods")
struct RealFlagsProviderRowsTests {
    @Test("It passes the conformance suite, with flat keys")
    func conforms() async throws {
        try await FlagsProviderConformance.check(.init(hasFlatKeys: true)) { TypedStore() }
    }

    @Test("It gives and takes each flag's own type, and a tool's stored form is read as that")
    func types() throws {
        let store = TypedStore(["number": 7, "by_name": ["a": [1]], "text": 5])
        let flags = FlagsLoader(Sizes.self, providers: [store])
        #expect(flags.number == 7 && flags.byName == ["a": [1]] && flags.text == nil, "a value of another type is none")
        #expect(flags.$byName.setValue(["b": [2]]).count == 1 && flags.byName == ["b": [2]])
        try store.setStoredValue(["c": [3]], at: flags.$byName.keyPath)
        #expect(flags.byName == ["c": [3]])
        try flags.$number.resetValue()
        #expect(flags.number == 1)
    }

    @Test("isWritable = false inhibits changes")
    func readOnly() throws {
        let flags = FlagsLoader(Sizes.self, providers: [TypedStore(["number": 7], isWritable: false)])
        #expect(flags.$number.setValue(8).isEmpty && flags.number == 7)
        #expect(throws: FlagError.self) { try flags.$number.set(8, in: "Typed") }
    }
}
