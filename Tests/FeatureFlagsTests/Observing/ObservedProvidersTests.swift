import FeatureFlags
import Foundation
import Synchronization
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number")
    var number: Int
    @Flag(default: JSONData([:]), description: "JSON with its nulls")
    var json: JSONData
    @Flag(default: 0, excludedProviderNames: ["Second"], description: "Not from the second provider")
    var other: Int
}

private struct Listed: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .custom("list"), description: "A list") var list: List

    struct List: FlagCollectionProtocol {
        @Flag(key: "1", default: 0, description: "Its second element") var second: Int
    }
}

/// A provider that reads a number in its own way: ten times what is stored.
private struct TenfoldProvider: FlagsProvider {
    let name = "Tenfold"
    let isWritable = true
    let values = FlagValueStore()

    var store: FlagValueStore? { values }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value? {
        guard case .integer(let number) = try storedValue(at: key) else { return nil }
        return try Value.decode(.integer(number * 10))
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try values.set(value, at: key) }
}

@Suite("Observing providers of all sorts", .timeLimit(.minutes(10)))
struct ObservedProvidersTests {
    @Test("Values agree with reads where a provider reads a type in its own way, wrapped or not")
    func ownReading() async throws {
        let tenfold = TenfoldProvider()
        #expect(!tenfold.isReadFromStore && StoreProvider("Plain").isReadFromStore)
        for provider: any FlagsProvider in [
            tenfold, ReadOnlyProvider(tenfold),
            OverridableProvider(provider: tenfold, override: StoreProvider("Above")),
        ] {
            let flags = FlagsLoader(Flags.self, providers: [provider])
            try tenfold.setStoredValue(.integer(2), at: path("number"))
            var values = flags.$number.values.makeAsyncIterator()
            #expect(await values.next() == 20)
            #expect(flags.number == 20)
            try tenfold.setStoredValue(.integer(3), at: path("number"))
            #expect(await values.next() == 30)
        }
    }

    @Test("A `null` that comes or goes in JSON is a change, for a read and for whoever observes")
    func nulls() async throws {
        let provider = try CodableProvider(name: "JSON", data: Data(#"{"json":{"a":null},"number":1}"#.utf8))
        let flags = FlagsLoader(Flags.self, providers: [provider])
        var values = flags.$json.values.makeAsyncIterator()
        #expect(await values.next()?.jsonString == #"{"a":null}"#)
        #expect(flags.json.jsonString == #"{"a":null}"#)
        try provider.update(Data(#"{"json":{},"number":2}"#.utf8))
        #expect(flags.json.jsonString == "{}")
        #expect(await values.next()?.jsonString == "{}")
        try provider.update(Data(#"{"json":{"a":[null]},"number":2}"#.utf8))
        #expect(await values.next()?.jsonString == #"{"a":[null]}"#)
        try provider.update(Data(#"{"json":null,"number":2}"#.utf8))
        #expect(await values.next()?.jsonString == "{}")
        var updates = try #require(provider.updates).makeAsyncIterator()
        try provider.update(Data(#"{"number":2,"json":null}"#.utf8))
        try provider.update(Data(#"{"number":3,"json":null}"#.utf8))
        #expect(await updates.next()?.keys == [try path("number")], "the same data is no change")
    }

    @Test("Whoever observes JSON late receives each number that was in force, wrapped or not")
    func everyNumber() async throws {
        let provider = try CodableProvider(name: "JSON", data: Data(#"{"number":1}"#.utf8))
        for provider: any FlagsProvider in [
            provider, ReadOnlyProvider(provider),
            OverridableProvider(provider: provider, override: StoreProvider("Above")),
        ] { #expect(provider.isReadFromStore(as: Int.self) && !provider.isReadFromStore(as: JSONData.self)) }
        let flags = FlagsLoader(Flags.self, providers: [provider])
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        for number in 2...5 { try provider.update(Data(#"{"number":\#(number)}"#.utf8)) }
        for number in 2...5 { #expect(await values.next() == number) }
    }

    @Test("An element of a JSON array is observed as any other value")
    func elementOfArray() async throws {
        let provider = try CodableProvider(name: "JSON", data: Data(#"{"list":[7,1]}"#.utf8))
        let flags = FlagsLoader(Listed.self, providers: [provider])
        var values = flags.list.$second.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        for text in [#"{"list":[7,2]}"#, #"{"list":[8,2]}"#, #"{"list":[3]}"#, #"{"list":{"1":4}}"#] {
            try provider.update(Data(text.utf8))
        }
        for number in [2, 0, 4] { #expect(await values.next() == number) }
    }

    @Test("A dynamic list of providers is followed once its loader is told of it")
    func dynamicList() async throws {
        let (first, second) = (StoreProvider("First", ["number": .integer(1)]), StoreProvider("Second"))
        let list = Providers([first])
        let flags = FlagsLoader(Flags.self, dynamicProviders: { list.all })
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        let changes = flags.changes
        list.all = [second]
        flags.providersDidChange()
        #expect(await values.next() == 0)
        try second.set(.integer(2), "number")
        #expect(await values.next() == 2)
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.description == "number in Second: integer 2")
        #expect(first.values.observerCount == 0)
    }

    @Test("What was told before a provider was removed is still told, of the flags that were read from it")
    func removedProvider() async throws {
        let (first, second) = (StoreProvider("First"), StoreProvider("Second"))
        let manager = FlagsManager(providers: [first, second])
        manager.addCollection(Flags.self)
        var changes = manager.changes.makeAsyncIterator()
        try second.set(.integer(1), "number")
        try second.set(.integer(1), "other")
        try second.set(.integer(2), "number")
        manager.removeProvider(named: "Second")
        try second.set(.integer(3), "number")
        try manager.insert(second)
        try second.set(.integer(4), "number")
        try first.set(.integer(5), "other")
        let told = try await changes.next(4).map(\.description)
        #expect(
            told == [
                "number in Second: integer 1", "number in Second: integer 2", "number in Second: integer 4",
                "other in First: integer 5",
            ])
        #expect(second.values.observerCount == 1)
    }
}

private final class Providers: Sendable {
    private let held: Mutex<[any FlagsProvider]>

    init(_ providers: [any FlagsProvider]) { held = Mutex(providers) }

    var all: [any FlagsProvider] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
