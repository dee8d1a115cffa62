import FeatureFlags
import FeatureFlagsTesting
import Testing

@Suite("The read-only wrapper")
struct ReadOnlyProviderTests {
    @Test("It passes the conformance suite")
    func conforms() async throws {
        try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("a", "b"): .bool(true)]) {
            ReadOnlyProvider(InMemoryProvider(values: ["a": .dictionary(["b": .bool(true)])]))
        }
    }

    @Test("It has the wrapped provider's name, changes and ways of reading a type")
    func forwards() async throws {
        let memory = InMemoryProvider(name: "Memory")
        let wrapper = ReadOnlyProvider(memory)
        #expect(wrapper.name == "Memory")
        #expect(wrapper.shortDescription == memory.shortDescription)
        var updates = try #require(wrapper.updates).makeAsyncIterator()
        try memory.setStoredValue(.integer(1), at: keyPath("a"))
        let update = await updates.next()
        #expect(update?.keys == [keyPath("a")])
        #expect(try update?.value(at: keyPath("a")) == .integer(1))
        let environment = ReadOnlyProvider(EnvironmentProvider(environment: ["LIST": "[1]"]))
        #expect(try environment.value(of: [Int].self, at: keyPath("list")) == [1])
        #expect(environment.store == nil)
    }

    @Test("Nothing can be changed through what it tells of changes with")
    func protectsStore() throws {
        let memory = InMemoryProvider(values: ["a": .integer(1)])
        let store = try #require(ReadOnlyProvider(memory).store)
        #expect(throws: FlagValueError.self) { try store.set(.integer(2), at: keyPath("a")) }
        store.replace(with: [:])
        #expect(try memory.storedValue(at: keyPath("a")) == .integer(1))
        #expect(try store.values == ["a": .integer(1)])
    }

    @Test("Set-up, refresh and tear-down reach the wrapped provider")
    func forwardsLifecycle() async throws {
        let provider = LifecycleProvider()
        let wrapper = ReadOnlyProvider(provider)
        try await wrapper.setUp()
        try await wrapper.refresh()
        await wrapper.tearDown()
        #expect(provider.calls == ["setUp", "refresh", "tearDown"])
    }
}
