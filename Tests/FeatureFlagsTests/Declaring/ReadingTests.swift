import FeatureFlags
import Foundation
import Synchronization
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: "A number")
    var number: Int

    @Flag(default: false, description: "A switch")
    var `switch`: Bool

    @Flag(default: "", excludedProviders: [TestProvider.self], description: "Not read from the first provider")
    var elsewhere: String

    @Flag(default: "", excludedProviderNames: ["First"], description: "Not read from one by name")
    var notFirst: String

    @Flag(default: Int8(0), description: "Small")
    var small: Int8
}

/// A second type of provider.
private struct OtherProvider: FlagsProvider {
    let store: FlagValueStore?
    let name = "Other"
    let isWritable = false

    init(_ values: [String: FlagValue]) { store = FlagValueStore(values) }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try store?.value(at: key) }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { throw FlagValueError("read-only") }
}

@Suite("Reading flags")
struct ReadingTests {
    private let first = TestProvider(name: "First")
    private let second = TestProvider(name: "Second")

    private var flags: FlagsLoader<Flags> { FlagsLoader(Flags.self, providers: [first, second]) }

    @Test("The first provider that holds a value wins, and the default is last")
    func order() throws {
        let flags = flags
        #expect(flags.number == 1)
        #expect(flags.$number.flagValue().source == nil)
        try second.store?.set(.integer(2), at: FlagKeyPath(components: ["number"]))
        #expect(flags.number == 2)
        #expect(flags.$number.flagValue().source?.name == "Second")
        try first.store?.set(.integer(3), at: FlagKeyPath(components: ["number"]))
        #expect(flags.number == 3)
        try first.store?.set(nil, at: FlagKeyPath(components: ["number"]))
        #expect(flags.number == 2)
    }

    @Test("A Boolean's cached value follows every change")
    func booleanCache() throws {
        let flags = flags
        for value in [true, false, true, true, false] {
            flags.$switch.setValue(value, providers: nil)
            #expect(flags.switch == value)
            #expect(flags.switch == value, "and again from what was read")
        }
        try flags.$switch.resetValue()
        #expect(!flags.switch)
        flags.$switch.setDefault(true)
        #expect(flags.switch)
    }

    @Test("A provider that the flag excludes by type or by name is not read, nor written without being named")
    func exclusion() throws {
        let other = OtherProvider(["elsewhere": .string("other")])
        first.store?.replace(with: ["elsewhere": .string("first"), "not_first": .string("first")])
        second.store?.replace(with: ["not_first": .string("second")])
        let flags = FlagsLoader(Flags.self, providers: [first, other, second])
        #expect(flags.elsewhere == "other")
        #expect(flags.notFirst == "second")
        #expect(flags.$elsewhere.setValue("new").isEmpty, "the other provider is read-only")
        #expect(flags.$elsewhere.setValue("new", providers: [TestProvider.self]).count == 2)
    }

    @Test("One provider is asked by type or by name, and two of one type are told apart")
    func oneProvider() {
        first.store?.replace(with: ["number": .integer(10)])
        second.store?.replace(with: ["number": .integer(20)])
        let flags = FlagsLoader(Flags.self, providers: [first, second, OtherProvider([:])])
        #expect(flags.$number.flagValue(from: TestProvider.self).value == 10)
        #expect(flags.$number.flagValue(from: "Second").value == 20)
        #expect(flags.$number.flagValue(from: OtherProvider.self).value == 1, "the fallback")
        #expect(flags.$number.flagValue(from: OtherProvider.self, fallback: false).value == nil)
        #expect(flags.$number.flagValue(from: "Nobody", fallback: false).value == nil)
    }

    @Test("A computed value wins over providers, and nil from it has them asked")
    func computed() {
        let answer = Mutex<Int?>(7)
        let flag = Flag(
            key: "number", default: 1, computedValue: { answer.withLock { $0 } }, description: "Computed")
        let manager = FlagsManager(providers: [first])
        first.store?.replace(with: ["number": .integer(2)])
        #expect(throws: Never.self) { try manager.register(flag) }
        #expect(flag.wrappedValue == 7)
        #expect(flag.flagValue().source == nil)
        #expect(flag.explain().resolution.source == .computed)
        answer.withLock { $0 = nil }
        #expect(flag.wrappedValue == 2)
        answer.withLock { $0 = 8 }
        #expect(flag.wrappedValue == 8)
    }

    @Test("A dynamic default is computed at each read, and a provider overrides it")
    func dynamicDefault() throws {
        let day = Mutex(1)
        let flag = Flag(key: "tuesday", dynamicDefault: { day.withLock { $0 == 2 } }, description: "On Tuesdays")
        try FlagsManager(providers: [first]).register(flag)
        #expect(!flag.wrappedValue)
        day.withLock { $0 = 2 }
        #expect(flag.wrappedValue)
        flag.override = .disabled
        #expect(!flag.wrappedValue)
        flag.override = .featureDefault
        #expect(flag.wrappedValue)
    }

    @Test("The list of providers is asked for at each access where it is dynamic")
    func dynamicProviders() {
        let list = Mutex<[any FlagsProvider]>([])
        let flags = FlagsLoader(Flags.self, dynamicProviders: { list.withLock { $0 } })
        #expect(flags.number == 1)
        first.store?.replace(with: ["number": .integer(4)])
        list.withLock { $0 = [first] }
        #expect(flags.number == 4)
        list.withLock { $0 = [] }
        #expect(flags.number == 1)
    }

    @Test("A broken value is reported with flag, provider, found and wanted type, and the next provider is asked")
    func broken() async throws {
        let flags = flags
        var reports = flags.diagnostics.reports.makeAsyncIterator()
        first.store?.replace(with: ["number": .string("abc"), "small": .integer(300)])
        second.store?.replace(with: ["number": .integer(2)])
        #expect(flags.number == 2)
        #expect(flags.number == 2)
        #expect(flags.small == 0)
        let number = try #require(await reports.next())
        #expect(number.flag?.text == "number")
        #expect(number.provider == "First")
        #expect(
            number.kind
                == .brokenValue(
                    found: "string \"abc\"",
                    wanted: "a whole number between \(Int.min) and \(Int.max)"))
        let small = try #require(await reports.next())
        #expect(small.flag?.text == "small", "the same report is not made twice")
        #expect(
            small.description
                == "small in First is broken: found integer 300, expected a whole number between -128 and 127")
        #expect(flags.diagnostics.current == [number, small])
        first.store?.replace(with: [:])
        #expect(flags.number == 2)
        #expect(flags.diagnostics.current == [small], "mended when it is read next")
    }

    @Test("An explanation says what each provider holds, which one wins and why")
    func explanation() {
        let flags = flags
        first.store?.replace(with: ["switch": .string("perhaps")])
        second.store?.replace(with: ["switch": .integer(1)])
        let explanation = flags.$switch.explain()
        #expect(explanation.state == .overriddenOn)
        #expect(explanation.resolution.source == .provider("Second"))
        #expect(
            explanation.description == """
                switch: boolean true, from Second
                  First: broken: found string "perhaps", expected true or false; no last good value
                  Second: boolean true
                  default: boolean false
                """)
    }

    @Test("An override forces a Boolean flag on or off, and lets go of it")
    func overrides() throws {
        let flags = flags
        #expect(flags.$switch.override == .featureDefault)
        #expect(flags.$switch.explain().state == .off)
        flags.$switch.override = .enabled
        #expect(flags.switch)
        #expect(flags.$switch.override == .enabled)
        #expect(flags.$switch.explain().state == .overriddenOn)
        #expect(try first.store?.values == ["switch": .bool(true)], "in the first writable provider alone")
        #expect(try second.store?.values == [:])
        flags.$switch.override = .disabled
        #expect(flags.$switch.explain().state == .overriddenOff)
        flags.$switch.override = .featureDefault
        #expect(flags.$switch.explain().state == .off)
        #expect(try first.store?.values == [:])
    }

    @Test("A change that a provider refuses is reported, and the list of those that took it says so")
    func refusedChanges() {
        let flags = FlagsLoader(Flags.self, providers: [first, OtherProvider([:])])
        #expect(flags.$number.setValue(5, providers: [TestProvider.self, OtherProvider.self]).map(\.name) == ["First"])
        #expect(flags.diagnostics.current.map(\.kind) == [.refusedChange])
        #expect(
            flags.diagnostics.current.first?.description
                == "can't change number in Other: the provider Other is read-only; change the value in another one")
        #expect(throws: FlagError.self) { try flags.$number.set(5, in: "Other") }
    }

    @Test("Setting through a scalar is refused rather than clobbering it")
    func scalarInTheWay() throws {
        first.store?.replace(with: ["number": .integer(3)])
        let flag = Flag(key: "below", default: 0, description: "Below a scalar")
        try FlagsManager(providers: [first]).register(flag, in: ["number"])
        #expect(throws: FlagValueError.self) { try flag.set(1, in: "First") }
        #expect(try first.store?.values == ["number": .integer(3)])
        #expect(flag.wrappedValue == 0)
    }
}
