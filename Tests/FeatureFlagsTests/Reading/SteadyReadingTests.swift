import FeatureFlags
import Foundation
import Synchronization
import Testing

/// Counts its reads, and can't say when it changes unless it never does.
private final class CountingProvider: FlagsProvider {
    let name: String
    let isWritable = false
    let isSteady: Bool
    private let state: Mutex<(value: FlagValue?, reads: Int)>

    init(_ name: String, _ value: FlagValue? = nil, isSteady: Bool = false) {
        self.name = name
        self.isSteady = isSteady
        state = Mutex((value, 0))
    }

    var reads: Int { state.withLock { $0.reads } }

    func hold(_ value: FlagValue?) { state.withLock { $0.value = value } }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        state.withLock { state in
            state.reads += 1
            return state.value
        }
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }
}

/// Has typed values without a stored form.
private struct TypedProvider: FlagsProvider {
    let name = "Typed"
    let isWritable = false
    let value: any FlagProtocol

    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value? {
        guard let value = value as? Value else { throw FlagValueError("it has another type") }
        return value
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { nil }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
}

/// A provider without identity.
private struct FixedProvider: FlagsProvider {
    let name: String
    let isWritable = false
    let value: FlagValue?

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { value }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
}

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: "")
    var plain: Int
    @Flag(default: 1, computedValue: { Flags.computed.withLock { $0 } }, description: "")
    var computed: Int
    @Flag(dynamicDefault: { Flags.fallback.withLock { $0 } }, description: "")
    var dynamic: Int
    @Flag(key: "plain", default: "none", description: "")
    var text: String

    static let computed = Mutex<Int?>(nil)
    static let fallback = Mutex(10)
}

@Suite("Values that are remembered, and what is asked at each read", .serialized)
struct SteadyReadingTests {
    private let memory = InMemoryProvider(name: "Memory")

    @Test("A provider after the one that holds the value is not asked, and one before it is asked at each read")
    func asksUpToTheValue() throws {
        let counting = CountingProvider("Counting")
        let after = FlagsLoader(Flags.self, providers: [memory, counting])
        try after.$plain.set(5, in: "Memory")
        for _ in 0..<10 { #expect(after.plain == 5) }
        #expect(counting.reads == 0)
        let before = FlagsLoader(Flags.self, providers: [counting, memory])
        for _ in 0..<10 { #expect(before.plain == 5) }
        #expect(counting.reads == 10)
        counting.hold(7)
        #expect(before.plain == 7 && after.plain == 5)
        try after.$plain.set(nil, in: "Memory")
        #expect(after.plain == 7)
        counting.hold(8)
        #expect(after.plain == 8)
    }

    @Test(
        "Behind providers that are asked each time, others are asked once they are needed, and count as they are then")
    func asksBehind() throws {
        let (first, second) = (CountingProvider("First", 1), CountingProvider("Second"))
        let steady = CountingProvider("Steady", isSteady: true)
        let flags = FlagsLoader(Flags.self, providers: [first, steady, second, memory])
        #expect(flags.plain == 1 && flags.plain == 1)
        #expect(steady.reads == 0 && second.reads == 0)
        first.hold(nil)
        for read in 1...3 {
            #expect(flags.plain == 1, "the default")
            #expect(second.reads == read)
        }
        #expect(steady.reads > 0)
        second.hold(2)
        #expect(flags.plain == 2)
        first.hold(3)
        #expect(flags.plain == 3 && flags.plain == 3)
        first.hold(nil)
        second.hold(nil)
        try flags.$plain.set(4, in: "Memory")
        #expect(flags.plain == 4 && flags.plain == 4)
        try flags.$plain.set(5, in: "Memory")
        #expect(flags.plain == 5 && flags.plain == 5)
        try flags.$plain.set(nil, in: "Memory")
        flags.$plain.setDefault(6)
        #expect(flags.plain == 6 && flags.plain == 6)
        Flags.fallback.withLock { $0 = 7 }
        #expect(flags.dynamic == 7)
        Flags.fallback.withLock { $0 = 8 }
        #expect(flags.dynamic == 8)
        first.hold(9)
        #expect(flags.dynamic == 9)
    }

    @Test(
        "A flag that asks each time has the last good value while a provider's is broken, and is overridden as others are"
    )
    func brokenWhileAsked() {
        let counting = CountingProvider("Counting", "one")
        let flags = FlagsLoader(Flags.self, providers: [counting, memory])
        #expect(flags.text == "one" && flags.text == "one")
        counting.hold(2)
        #expect(flags.text == "one" && flags.text == "one")
        #expect(flags.diagnostics.current.compactMap(\.provider) == ["Counting"])
        counting.hold("three")
        #expect(flags.text == "three" && flags.diagnostics.current.allSatisfy { $0.provider == nil })
        FlagOverrides.with([FlagOverride(flags.$text, "other")]) { #expect(flags.text == "other") }
        counting.hold(nil)
        #expect(flags.text == "none")
        counting.hold(2)
        #expect(flags.text == "none", "there was no value before the broken one")
    }

    @Test("A flag that asks each time has the last value that any read found good, and each text by its code points")
    func lastGoodWhileAsked() {
        let counting = CountingProvider("Counting", "one")
        let flags = FlagsLoader(Flags.self, providers: [counting])
        #expect(flags.text == "one" && flags.text == "one")
        counting.hold("two")
        #expect(!flags.$text.explain().resolution.isBroken)
        counting.hold(2)
        #expect(flags.text == "two")
        for text in ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"] {
            counting.hold(.string(text))
            #expect(Array(flags.text.utf8) == Array(text.utf8))
        }
        counting.hold(nil)
        #expect(flags.text == "none")
        counting.hold(2)
        #expect(flags.text == "none", "the value before the broken one is its absence")
    }

    @Test("A provider of typed values is asked for them each time")
    func typedValues() {
        let flags = FlagsLoader(Flags.self, providers: [TypedProvider(value: "typed")])
        #expect(flags.text == "typed" && flags.text == "typed")
        #expect(flags.plain == 1 && flags.plain == 1)
        #expect(flags.diagnostics.current.compactMap(\.provider) == ["Typed"])
    }

    @Test("The environment is asked once, and a key path that shares another's variable breaks both at once")
    func environment() throws {
        let environment = EnvironmentProvider(environment: ["PLAIN": "3"])
        let flags = FlagsLoader(Flags.self, providers: [environment, memory])
        #expect(flags.plain == 3 && flags.$plain.explain().askedAtEachRead.isEmpty)
        let other = FlagsLoader(
            Flags.self, providers: [environment], keyConfiguration: KeyConfiguration(keyTransform: .custom("PLAIN")))
        #expect(other.computed == 1)
        #expect(flags.$plain.explain().resolution.isBroken)
        #expect(flags.plain == 3, "the last good value")
        #expect(flags.diagnostics.current.contains { $0.flag?.text == "plain" && $0.provider == "Environment" })
    }

    @Test("A computed value is asked at each read, and what is below it counts while it is nil")
    func computedValue() throws {
        let flags = FlagsLoader(Flags.self, providers: [memory])
        Flags.computed.withLock { $0 = nil }
        #expect(flags.computed == 1 && flags.computed == 1)
        try flags.$computed.set(5, in: "Memory")
        #expect(flags.computed == 5 && flags.computed == 5)
        Flags.computed.withLock { $0 = 9 }
        #expect(flags.computed == 9)
        Flags.computed.withLock { $0 = nil }
        #expect(flags.computed == 5)
        try flags.$computed.set(nil, in: "Memory")
        flags.$computed.setDefault(2)
        #expect(flags.computed == 2)
    }

    @Test("A dynamic default is computed at each read, unless a provider holds a value")
    func dynamicDefault() throws {
        let flags = FlagsLoader(Flags.self, providers: [memory])
        for number in 10..<13 {
            Flags.fallback.withLock { $0 = number }
            #expect(flags.dynamic == number)
        }
        try flags.$dynamic.set(5, in: "Memory")
        #expect(flags.dynamic == 5 && flags.$dynamic.explain().askedAtEachRead.isEmpty)
        try flags.$dynamic.set(nil, in: "Memory")
        #expect(flags.dynamic == 12 && flags.$dynamic.explain().askedAtEachRead == ["dynamicDefault"])
    }

    @Test("A dynamic list counts as it is at each read: the same providers, others, another order, or structures")
    func dynamicList() throws {
        let other = InMemoryProvider(name: "Other")
        let list = Mutex<[any FlagsProvider]>([memory])
        let shared = Box(list)
        let flags = FlagsLoader(Flags.self, dynamicProviders: { shared.list.withLock { $0 } })
        try memory.setStoredValue(1, at: FlagKeyPath(components: ["plain"]))
        try other.setStoredValue(2, at: FlagKeyPath(components: ["plain"]))
        func read(_ providers: any FlagsProvider...) -> [Int] {
            shared.list.withLock { $0 = providers }
            return [flags.plain, flags.plain]
        }
        #expect(read(memory) == [1, 1])
        #expect(read(other, memory) == [2, 2])
        #expect(read(memory, other) == [1, 1])
        #expect(read(memory) == [1, 1])
        #expect(read(FixedProvider(name: "Fixed", value: 3)) == [3, 3])
        #expect(read(FixedProvider(name: "Fixed", value: 4)) == [4, 4])
        #expect(read(FixedProvider(name: "Fixed", value: nil), other) == [2, 2])
        #expect(read(other) == [2, 2])
        try other.setStoredValue(20, at: FlagKeyPath(components: ["plain"]))
        #expect(flags.plain == 20)
        #expect(read() == [1, 1])
        #expect(flags.$plain.explain().askedAtEachRead == ["dynamicProviders"])
        #expect(flags.$dynamic.explain().askedAtEachRead == ["dynamicProviders", "dynamicDefault"])
        #expect(read(memory) == [1, 1])
        #expect(flags.$dynamic.explain().askedAtEachRead == ["dynamicProviders", "Memory", "dynamicDefault"])
        #expect(read(FixedProvider(name: "Fixed", value: 3)) == [3, 3])
        #expect(flags.$plain.explain().askedAtEachRead == ["dynamicProviders", "Fixed"])
        let changing = FlagsLoader(
            Flags.self,
            dynamicProviders: {
                // The app may change a value in the closure.
                let number = FlagValue.integer(Int128(Flags.fallback.withLock { $0 }))
                do {
                    try other.setStoredValue(number, at: FlagKeyPath(components: ["plain"]))
                } catch {
                    Issue.record(error)
                }
                return [other]
            })
        for number in 30..<33 {
            Flags.fallback.withLock { $0 = number }
            #expect(changing.plain == number)
        }
    }

    private final class Box: Sendable {
        let list: Mutex<[any FlagsProvider]>

        init(_ list: consuming Mutex<[any FlagsProvider]>) { self.list = list }
    }

    @Test("A pair and a read-only wrapper are as steady as what they wrap")
    func wrappers() {
        let (environment, counting) = (EnvironmentProvider(environment: [:]), CountingProvider("Counting"))
        #expect(memory.isSteady && environment.isSteady && !counting.isSteady)
        #expect(ReadOnlyProvider(environment).isSteady && !ReadOnlyProvider(counting).isSteady)
        #expect(OverridableProvider(provider: memory, override: environment).isSteady)
        #expect(!OverridableProvider(provider: memory, override: counting).isSteady)
    }

    @Test("An explanation names what is asked at each read, up to the value's source")
    func explanations() throws {
        let (first, second) = (CountingProvider("First"), CountingProvider("Second"))
        let flags = FlagsLoader(Flags.self, providers: [first, memory, second])
        #expect(flags.$plain.explain().askedAtEachRead == ["First", "Second"])
        try flags.$plain.set(5, in: "Memory")
        #expect(flags.$plain.explain().askedAtEachRead == ["First"])
        #expect(flags.$plain.explain().description.hasSuffix("\n  read every time: First"))
        Flags.computed.withLock { $0 = 3 }
        #expect(flags.$computed.explain().askedAtEachRead == ["computedValue"])
        Flags.computed.withLock { $0 = nil }
        #expect(flags.$computed.explain().askedAtEachRead == ["computedValue", "First", "Second"])
        #expect(FlagsLoader(Flags.self, providers: [memory]).$plain.explain().askedAtEachRead.isEmpty)
    }
}
