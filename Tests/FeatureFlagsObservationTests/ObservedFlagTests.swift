import FeatureFlags
import FeatureFlagsObservation
import Synchronization
import Testing

@Suite("An observable handle of a flag", .timeLimit(.minutes(10)))
struct ObservedFlagTests {
    private let first = InMemoryProvider(name: "First")
    private let last = InMemoryProvider(name: "Last", values: ["retries": 3])
    private let manager: FlagsManager
    private let flags: FlagsLoader<ShopFlags>

    init() {
        manager = FlagsManager(providers: [first, last])
        flags = manager.addCollection(ShopFlags.self)
    }

    @Test("A change through the handle is told of once, before it returns")
    func ownChanges() throws {
        let handle = ObservedFlag(flags.$retries)
        #expect(handle.value == 3 && handle.defaultValue == 3 && handle.sourceName == "Last" && handle.isOverridden)
        let value = Reading { #expect(handle.value == 3) }
        handle.value = 5
        #expect(value.isNotified && flags.retries == 5)
        #expect(handle.sourceName == "First" && last.heldRetries == 3)
        let same = Reading { #expect(handle.value == 5) }
        try handle.set(5)
        #expect(!same.isNotified)
        try handle.set(nil)
        #expect(same.isNotified && handle.value == 3)
        try handle.reset()
        #expect(!handle.isOverridden && handle.sourceName == nil)
    }

    @Test("Each property is told of alone: a source whose value is the same changes no value")
    func properties() async throws {
        let handle = ObservedFlag(flags.$retries)
        let value = Reading { #expect(handle.value == 3) }
        let source = Reading { #expect(handle.isOverridden) }
        let fallback = Reading { #expect(handle.defaultValue == 3) }
        try last.setStoredValue(nil, at: path("retries"))
        await source.notice()
        #expect(!value.isNotified && !fallback.isNotified && !handle.isOverridden)
        let absent = Reading { #expect(handle.sourceName == nil) }
        try first.setStoredValue(.integer(3), at: path("retries"))
        await absent.notice()
        let overridden = Reading { #expect(handle.sourceName == "First") }
        flags.$retries.setDefault(4)
        await fallback.notice()
        #expect(!value.isNotified && !overridden.isNotified)
        try first.setStoredValue(.integer(6), at: path("retries"))
        await value.notice()
        #expect(!overridden.isNotified && handle.value == 6)
    }

    @Test("A value of each kind is set, and told of where it differs")
    func kinds() throws {
        let (note, point) = (ObservedFlag(flags.$note), ObservedFlag(flags.$point))
        let empty = Reading { #expect(note.value == nil) }
        note.value = "Sale"
        #expect(empty.isNotified && flags.note == "Sale" && note.lastError == nil)
        note.value = nil
        #expect(flags.note == nil && note.value == nil)
        let origin = Reading { #expect(point.value.x == 0) }
        point.value = Point(x: 0)
        #expect(!origin.isNotified)
        point.value = Point(x: 2)
        #expect(origin.isNotified && point.value.x == 2)
    }

    @Test("A refused change leaves the value, keeps the error and throws it")
    func errors() throws {
        let flags = FlagsLoader(ShopFlags.self, providers: [InMemoryProvider(isWritable: false)])
        let handle = ObservedFlag(flags.$retries)
        let value = Reading { #expect(handle.value == 3) }
        let error = Reading { #expect(handle.lastError == nil) }
        handle.value = 4
        #expect(error.isNotified && !value.isNotified && handle.value == 3)
        #expect((handle.lastError as? FlagError)?.isReadOnly == true)
        #expect(throws: FlagError.self) { try handle.set(4) }
        try handle.reset()
        #expect(handle.lastError == nil, "there was nothing to reset")
    }

    @Test("A handle of a flag that was registered at run time follows it too")
    func registered() async throws {
        let flag = Flag(key: "limit", default: 10, description: "A limit")
        try manager.register(flag, in: ["upload"])
        let handle = ObservedFlag(flag)
        #expect(handle.id == flag.id && handle.flag == flag)
        let reading = Reading { #expect(handle.value == 10) }
        try last.setStoredValue(.integer(20), at: path("upload", "limit"))
        await reading.notice()
        #expect(handle.value == 20)
    }

    @Test("A reading that another change has overtaken hides no later change")
    func overtaken() throws {
        let provider = OvertakenProvider()
        let handle = ObservedFlag(FlagsLoader(ShopFlags.self, providers: [provider]).$retries)
        try handle.set(1)
        #expect(handle.value == 1)
        // The notice of 2 reads the value, and 3 is stored before it goes on.
        provider.afterNextRead { handle.value = 3 }
        try handle.set(2)
        let reading = Reading { #expect(handle.value == 3) }
        try handle.set(2)
        #expect(reading.isNotified)
    }

    @Test("Of a dynamic list, the provider's changes are told of, and its own once the loader is told")
    func dynamicList() async throws {
        let flags = FlagsLoader(
            ShopFlags.self, dynamicProviders: { [first, last] in first.heldRetries == nil ? [last] : [first] })
        let handle = ObservedFlag(flags.$retries)
        let changed = Reading { #expect(handle.value == 3) }
        try last.setStoredValue(.integer(4), at: path("retries"))
        await changed.notice()
        let listed = Reading { #expect(handle.value == 4) }
        try first.setStoredValue(.integer(5), at: path("retries"))
        flags.providersDidChange()
        await listed.notice()
        #expect(handle.value == 5)
    }
}

extension InMemoryProvider {
    fileprivate var heldRetries: FlagValue? { heldValue(at: path("retries")) }
}

/// A provider that can't tell of changes, and runs an action in the middle of a read.
private final class OvertakenProvider: FlagsProvider {
    let name = "Overtaken"
    let isWritable = true
    private let value = Mutex<FlagValue?>(nil)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func afterNextRead(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        let found = value.withLock { $0 }
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
        return found
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { self.value.withLock { $0 = value } }
}
