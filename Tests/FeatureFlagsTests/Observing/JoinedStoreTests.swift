import FeatureFlags
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "Held by one provider or the other")
    var number: Int
}

@Suite("Providers joined into one, as their parts come and go", .timeLimit(.minutes(10)))
struct JoinedStoreTests {
    private let above = StoreProvider("Above")
    private let below = StoreProvider("Below")

    private func pair() -> OverridableProvider {
        OverridableProvider(name: "Pair", provider: below, override: above)
    }

    @Test(
        "A flag that only the lower part holds keeps its value when the upper one can't be read, and when it can again",
        arguments: [[:], ["other": FlagValue.integer(1)]])
    func upperPart(held: [String: FlagValue]) async throws {
        above.values.replace(with: held)
        try below.set(.integer(5), "number")
        let flags = FlagsLoader(Flags.self, providers: [pair()])
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next() == 5)
        above.values.fail(FlagValueError("gone"))
        #expect(flags.number == 5 && flags.$number.explain().resolution.isStale)
        above.values.replace(with: held)
        #expect(flags.number == 5 && !flags.$number.explain().resolution.isStale)
        above.values.replace(with: ["number": .integer(6)])
        #expect(await values.next() == 6)
        below.values.fail(FlagValueError("gone"))
        above.values.replace(with: [:])
        #expect(await values.next() == 5)
        #expect(flags.$number.explain().resolution.isStale)
        below.values.replace(with: ["number": .integer(7)])
        #expect(await values.next() == 7)
    }

    @Test("An update names the keys that can be read no more, and no others")
    func keys() async throws {
        try above.set(.integer(1), "above")
        try below.set(.integer(2), "below")
        let pair = pair()
        var updates = try #require(pair.updates).makeAsyncIterator()
        above.values.fail(FlagValueError("gone"))
        #expect(await updates.next()?.keys == [try path("above"), try path("below")])
        above.values.replace(with: ["above": .integer(1)])
        #expect(await updates.next()?.keys == [try path("above"), try path("below")])
        below.values.fail(FlagValueError("gone"))
        #expect(await updates.next()?.keys == [try path("below")])
    }

    @Test("The same holds of a pair within a pair")
    func nested() async throws {
        let lowest = StoreProvider("Lowest", ["number": .integer(3)])
        let outer = OverridableProvider(name: "Outer", provider: lowest, override: pair())
        let flags = FlagsLoader(Flags.self, providers: [outer])
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next() == 3)
        above.values.fail(FlagValueError("gone"))
        #expect(flags.number == 3 && flags.$number.explain().resolution.isStale)
        above.values.replace(with: ["number": .integer(4)])
        #expect(await values.next() == 4)
    }
}
