import FeatureFlags
import FeatureFlagsTesting
import Synchronization
import Testing

@Suite("The overridable pair")
struct OverridableProviderTests {
    @Test("It passes the conformance suite, with and without telling of changes")
    func conforms() async throws {
        try await FlagsProviderConformance.check {
            OverridableProvider(
                provider: InMemoryProvider(values: ["unrelated": .bool(true)]), override: InMemoryProvider())
        }
        try await FlagsProviderConformance.check {
            OverridableProvider(
                provider: EnvironmentProvider(prefix: "NO_SUCH_", environment: [:]), override: InMemoryProvider())
        }
    }

    @Test("Around an override that is read-only, it passes the conformance suite")
    func conformsReadOnly() async throws {
        try await FlagsProviderConformance.checkReadOnly(holding: [
            keyPath("a"): .integer(1), keyPath("b"): .integer(2),
        ]) {
            OverridableProvider(
                provider: InMemoryProvider(values: ["a": .integer(0), "b": .integer(2)]),
                override: InMemoryProvider(values: ["a": .integer(1)], isWritable: false))
        }
    }

    @Test("ToggleUI: the override is read first, every change goes to it, and a reset shows the other again")
    func readsOverrideFirst() throws {
        let (base, override) = (InMemoryProvider(name: "Base"), InMemoryProvider(name: "Override"))
        try base.setStoredValue(.string("base"), at: keyPath("a"))
        let pair = OverridableProvider(provider: base, override: override)
        #expect(pair.name == "Base")
        #expect(try pair.value(of: String.self, at: keyPath("a")) == "base")
        #expect(try !pair.hasOverride(at: keyPath("a")))
        try pair.setValue("mine", forFlag: keyPath("a"))
        #expect(try pair.value(of: String.self, at: keyPath("a")) == "mine")
        #expect(try pair.hasOverride(at: keyPath("a")))
        #expect(try base.storedValue(at: keyPath("a")) == .string("base"))
        try pair.setStoredValue(.bool(true), at: keyPath("b"))
        try pair.resetOverrides(at: [keyPath("a"), keyPath("b"), keyPath("c")])
        #expect(try pair.value(of: String.self, at: keyPath("a")) == "base")
        #expect(try override.storedValue(at: keyPath("b")) == nil)
    }

    @Test("A group that both hold is read flag by flag, and a dictionary flag wins as a whole")
    func keepsDictionariesWhole() throws {
        let base = InMemoryProvider(values: [
            "g": .dictionary(["x": .integer(1), "map": .dictionary(["a": .integer(1)])])
        ])
        let pair = OverridableProvider(provider: base, override: InMemoryProvider())
        try pair.setValue(["b": 2], forFlag: keyPath("g", "map"))
        #expect(try pair.value(of: [String: Int].self, at: keyPath("g", "map")) == ["b": 2])
        #expect(try pair.value(of: Int.self, at: keyPath("g", "x")) == 1)
        #expect(try pair.store?.value(at: keyPath("g", "map")) == .dictionary(["b": .integer(2)]))
        #expect(
            try pair.store?.values == [
                "g": .dictionary(["x": .integer(1), "map": .dictionary(["a": .integer(1), "b": .integer(2)])])
            ])
    }

    @Test("What is broken in the override is broken, and not silently the other's")
    func reportsBroken() throws {
        let pair = OverridableProvider(
            provider: InMemoryProvider(values: ["a": .integer(1)]),
            override: InMemoryProvider(values: ["a": .string("x"), "g": .integer(1)]))
        #expect(throws: FlagValueError.self) { try pair.value(of: Int.self, at: keyPath("a")) }
        #expect(throws: FlagValueError.self) { try pair.storedValue(at: keyPath("g", "x")) }
        #expect(throws: FlagValueError.self) { try pair.store?.value(at: keyPath("g", "x")) }
    }

    @Test("A change of either is told where it can be seen, and what stays hidden is not")
    func tells() async throws {
        let (base, override) = (InMemoryProvider(), InMemoryProvider())
        let pair = OverridableProvider(provider: base, override: override)
        var updates = try #require(pair.updates).makeAsyncIterator()
        try base.setStoredValue(.integer(1), at: keyPath("a"))
        try override.setStoredValue(.integer(2), at: keyPath("a"))
        try base.setStoredValue(.integer(3), at: keyPath("a"))
        try base.setStoredValue(.integer(4), at: keyPath("b"))
        try override.setStoredValue(nil, at: keyPath("a"))
        for (key, value) in [("a", 1), ("a", 2), ("b", 4), ("a", 3)] as [(String, Int128)] {
            let update = try #require(await updates.next())
            #expect(update.keys == [keyPath(key)])
            #expect(try update.value(at: keyPath(key)) == .integer(value))
        }
    }

    @Test("A flag's cached value follows a change of either side at once")
    func invalidatesCaches() throws {
        let (base, override) = (InMemoryProvider(), InMemoryProvider())
        let flags = FlagsLoader(OneFlag.self, providers: [OverridableProvider(provider: base, override: override)])
        for isOn in [true, false, true] {
            try base.setStoredValue(.bool(isOn), at: keyPath("on"))
            #expect(flags.on == isOn)
            try override.setStoredValue(.bool(!isOn), at: keyPath("on"))
            #expect(flags.on == !isOn)
            try override.setStoredValue(nil, at: keyPath("on"))
            #expect(flags.on == isOn)
        }
    }

    @Test("ToggleUI: an observed flag of a pair gives its values without duplicates, whichever side changes")
    func observes() async throws {
        let (base, override) = (InMemoryProvider(), InMemoryProvider())
        let pair = ReadOnlyProvider(OverridableProvider(provider: base, override: override))
        let flags = FlagsLoader(OneFlag.self, providers: [pair])
        var values = flags.$on.values.makeAsyncIterator()
        #expect(await values.next() == false)
        try base.setStoredValue(.bool(true), at: keyPath("on"))
        try override.setStoredValue(.bool(true), at: keyPath("on"))
        try base.setStoredValue(nil, at: keyPath("on"))
        try override.setStoredValue(.bool(false), at: keyPath("on"))
        try base.setStoredValue(.bool(true), at: keyPath("on"))
        try override.setStoredValue(nil, at: keyPath("on"))
        #expect(await values.next() == true)
        #expect(await values.next() == false)
        #expect(await values.next() == true)
    }

    @Test("A pair can't be changed around its override")
    func protectsStore() throws {
        let pair = OverridableProvider(
            provider: InMemoryProvider(values: ["a": .integer(1)]), override: InMemoryProvider())
        let store = try #require(pair.store)
        #expect(throws: FlagValueError.self) { try store.set(.integer(2), at: keyPath("a")) }
        store.replace(with: [:])
        store.fail(FlagValueError("gone"))
        #expect(try store.values == ["a": .integer(1)])
    }

    @Test("Pairs over one provider come and go while it changes, and what is left tells all")
    func outlivesPairs() async throws {
        let (base, override) = (InMemoryProvider(), InMemoryProvider())
        let last = OverridableProvider(provider: base, override: override)
        let updates = try #require(last.updates)
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 1...200 {
                        let pair = OverridableProvider(provider: base, override: override)
                        try base.setStoredValue(.integer(Int128(number)), at: keyPath("t\(task)"))
                        guard try pair.storedValue(at: keyPath("t\(task)")) == .integer(Int128(number)) else {
                            return false
                        }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        var counts: [FlagKeyPath: Int128] = [:]
        for await update in updates {
            let key = try #require(update.keys.first)
            counts[key, default: 0] += 1
            #expect(try update.value(at: key) == counts[key].map(FlagValue.integer))
            if counts.values.reduce(0, +) == 800 { break }
        }
    }

    @Test("ToggleUI: set-up, refresh and tear-down reach both, whatever one of them throws")
    func forwardsLifecycle() async throws {
        let (base, override) = (LifecycleProvider(), LifecycleProvider(problem: FlagValueError("no network")))
        let pair = OverridableProvider(provider: base, override: override)
        await #expect(throws: FlagValueError("no network")) { try await pair.setUp() }
        await #expect(throws: FlagValueError("no network")) { try await pair.refresh() }
        await pair.tearDown()
        #expect(base.calls == ["setUp", "refresh", "tearDown"])
        #expect(override.calls == ["setUp", "refresh", "tearDown"])
    }

    @Test("The first problem of a reset is thrown after the others have been reset")
    func resetsAll() throws {
        let override = InMemoryProvider(values: ["s": .integer(1), "z": .integer(1)])
        let pair = OverridableProvider(provider: InMemoryProvider(), override: override)
        #expect(throws: FlagValueError.self) { try pair.resetOverrides(at: [keyPath("s", "x"), keyPath("z")]) }
        #expect(try override.store?.values == ["s": .integer(1)])
    }
}

/// A provider that notes its calls.
final class LifecycleProvider: FlagsProvider {
    let name = "Lifecycle"
    let isWritable = false
    private let problem: FlagValueError?
    private let noted = Mutex<[String]>([])

    init(problem: FlagValueError? = nil) { self.problem = problem }

    var calls: [String] { noted.withLock { $0 } }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { nil }
    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
    func setUp() async throws { try note("setUp") }
    func refresh() async throws { try note("refresh") }
    func tearDown() async { noted.withLock { $0.append("tearDown") } }

    private func note(_ call: String) throws {
        noted.withLock { $0.append(call) }
        if let problem { throw problem }
    }
}
