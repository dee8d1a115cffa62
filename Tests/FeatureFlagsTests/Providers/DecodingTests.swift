import FeatureFlags
import Foundation
import Testing

@Suite("ToggleUI's key paths and decoding errors")
struct DecodingTests {
    private let provider: InMemoryProvider

    init() throws {
        provider = try InMemoryProvider(
            name: "Dictionary",
            dictionary: [
                "a": [["b": 1], ["b": "two"]], "text": "x", "grid": [[1, 2], [3]], "map": ["0": "zero"],
            ])
    }

    @Test("Key paths go through groups, and an integer component indexes an array")
    func reads() throws {
        #expect(try provider.decode(Int.self, at: keyPath("a", "0", "b")) == 1)
        #expect(try provider.decode(at: keyPath("a", "1", "b")) == "two")
        #expect(try provider.decode(Int.self, at: keyPath("grid", "1", "0")) == 3)
        #expect(try provider.decode(String.self, at: keyPath("map", "0")) == "zero")
        let flags = FlagsLoader(Collection.self, providers: [provider])
        #expect(flags.first.b == 1)
    }

    @Test(
        "A missing entry and an index that there is not are keyNotFound, and never stop the process",
        arguments: [
            keyPath("b"), keyPath("b", "c"), keyPath("a", "2"), keyPath("a", "2", "b"), keyPath("a", "-1"),
            keyPath("a", "-1", "b"),
            keyPath("a", "\(Int.min)"), keyPath("a", "\(Int.max)"), keyPath("a", "0", "c"), keyPath("grid", "0", "-9"),
        ])
    func keyNotFound(key: FlagKeyPath) throws {
        let error = try #require(throws: FlagDecodingError.self) { try provider.decode(Int.self, at: key) }
        #expect(error.isKeyNotFound && !error.isTypeMismatch)
        #expect(error.key == key)
        #expect(error.provider == "Dictionary")
        #expect(error.description.hasPrefix("\(key.text) in Dictionary: no value found, expected a whole number"))
    }

    @Test(
        "A value of another type, and one on the way that is no group, are typeMismatch",
        arguments: [
            (keyPath("text"), "found string \"x\", expected a whole number"),
            (keyPath("a"), "found an array of 2 elements, expected"),
            (keyPath("text", "b"), "\"text\" is string \"x\", not a dictionary"),
            (keyPath("a", "first"), "\"a\" is an array of 2 elements, not a dictionary"),
            (keyPath("a", "+1"), "\"a\" is an array of 2 elements, not a dictionary"),
            (keyPath("a", "00", "b"), "\"a\" is an array of 2 elements, not a dictionary"),
        ])
    func typeMismatch(key: FlagKeyPath, text: String) throws {
        let error = try #require(throws: FlagDecodingError.self) { try provider.decode(Int.self, at: key) }
        #expect(error.isTypeMismatch && !error.isKeyNotFound)
        #expect(error.description.contains(text))
    }

    @Test("An element of an array is read, and never written through")
    func refusesWriting() throws {
        #expect(throws: FlagValueError.self) {
            try provider.setStoredValue(.integer(9), at: keyPath("grid", "0", "0"))
        }
        #expect(throws: FlagValueError.self) { try provider.setStoredValue(nil, at: keyPath("grid", "0")) }
        #expect(try provider.decode([[Int]].self, at: keyPath("grid")) == [[1, 2], [3]])
    }

    @Test("ToggleUI: its default provider, which never has a value, is an empty read-only one")
    func defaultProvider() throws {
        let provider = InMemoryProvider(isWritable: false)
        let flags = FlagsLoader(OneFlag.self, providers: [provider])
        #expect(flags.$on.setValue(true).isEmpty)
        #expect(!flags.on)
    }

    private struct Collection: FlagCollectionProtocol {
        @FlagCollection(keyConfiguration: .custom("a"), description: "The list") var first: First

        struct First: FlagCollectionProtocol {
            @FlagCollection(keyConfiguration: .custom("0"), description: "Its first element") var element: Element
            var b: Int { element.b }
        }

        struct Element: FlagCollectionProtocol {
            @Flag(default: 0, description: "A number") var b: Int
        }
    }
}
