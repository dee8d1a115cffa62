import FeatureFlags
import Synchronization
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag(default: 7, description: "The tills")
    var tills: Int
}

/// Where code of a flag finds the manager that the flag is registered with.
private final class Registry: Sendable {
    private let held = AtomicLazyReference<FlagsManager>()

    var manager: FlagsManager? { held.load() }

    func hold(_ manager: FlagsManager) { _ = held.storeIfNil(manager) }
}

/// A provider whose every property asks the manager.
private final class AskingProvider: FlagsProvider {
    private let registry: Registry
    private let label: String
    private let values = FlagValueStore()

    init(_ label: String, _ registry: Registry) {
        self.label = label
        self.registry = registry
    }

    var name: String { "\(label) of \(registry.manager?.providers.isEmpty ?? true ? 0 : 1)" }
    var isWritable: Bool { registry.manager?.featureFlags.isEmpty ?? true }
    var store: FlagValueStore? { registry.manager?.providers.isEmpty ?? true ? nil : values }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        registry.manager?.featureFlags.isEmpty ?? true ? nil : .integer(1)
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
}

/// A value that does something when it is let go of.
private final class Guarded: Sendable {
    let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}

@Suite("Code of the app that a manager calls", .timeLimit(.minutes(10)))
struct UserCodeTests {
    private let registry = Registry()

    @Test("Computed values, defaults and providers may ask the manager while it registers their flag")
    func registering() throws {
        let manager = FlagsManager(providers: [AskingProvider("Asking", registry)])
        registry.hold(manager)
        manager.addCollection(Shop.self)
        let description = FlagMetadata(description: "Asks", requiresRestart: true)
        let computed = Flag(
            key: "computed", default: 0,
            computedValue: { [registry] in registry.manager?.loader(forType: Shop.self)?.tills },
            description: description)
        let dynamic = Flag(
            key: "dynamic", dynamicDefault: { [registry] in registry.manager?.featureFlags.count ?? 0 },
            description: description)
        try manager.register(computed)
        try manager.register(dynamic)
        #expect(computed.wrappedValue == 1, "the computed value reads another flag through the manager")
        #expect(manager.flagsAwaitingRestart.isEmpty)
    }

    @Test("A provider's name and store may ask the manager while providers are inserted and removed")
    func changingProviders() throws {
        let manager = FlagsManager(providers: [])
        registry.hold(manager)
        try manager.insert(AskingProvider("First", registry))
        try manager.insert(AskingProvider("Second", registry))
        #expect(manager.providers.map(\.name) == ["Second of 1", "First of 1"])
        manager.removeProvider(named: "First of 1")
        #expect(manager.providers.map(\.name) == ["Second of 1"])
    }

    @Test("A dynamic list of providers may ask its loader while consumers follow it")
    func dynamicList() async throws {
        let holder = Mutex<FlagsLoader<Shop>?>(nil)
        let store = TestProvider(name: "Store", values: ["tills": .integer(2)])
        let loader = FlagsLoader(
            Shop.self,
            dynamicProviders: { [store] in holder.withLock { $0 }?.featureFlags.isEmpty == false ? [store] : [] })
        var values = loader.$tills.values.makeAsyncIterator()
        #expect(await values.next() == 7)
        holder.withLock { $0 = loader }
        loader.providersDidChange()
        #expect(await values.next() == 2)
        holder.withLock { $0 = nil }
    }

    @Test("What a replaced flag captured may ask the manager when it is let go of")
    func lettingGo() throws {
        let manager = FlagsManager(providers: [])
        let seen = Seen()
        try register(manager, seen)
        try manager.register(Flag(key: "beta", default: 2, description: "Second"), forced: true)
        #expect(seen.count.load(ordering: .relaxed) == 1, "the first flag is gone, and saw the second alone")
    }

    private func register(_ manager: FlagsManager, _ seen: Seen) throws {
        let guarded = Guarded { seen.count.store(manager.featureFlags.count, ordering: .relaxed) }
        try manager.register(
            Flag(
                key: "beta", default: 1, computedValue: { withExtendedLifetime(guarded) { nil } }, description: "First")
        )
    }
}

private final class Seen: Sendable {
    let count = Atomic(0)
}
