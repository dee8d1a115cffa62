import FeatureFlags
import Foundation
import Testing

private enum Mode: String, CaseIterable, FlagProtocol { case never, always }

/// A type without equality, some values of which have no stored form.
private struct Size: FlagProtocol {
    var points: Double

    init(points: Double) { self.points = points }

    init?(encoded value: FlagValue) {
        guard case .double(let points) = value, points <= 100 else { return nil }
        self.points = points
    }

    func encoded() throws(FlagValueError) -> FlagValue {
        guard points >= 0 else { throw FlagValueError("a size is not negative") }
        return .double(points)
    }

    static var flagType: FlagType? { .double }
    static var flagConstraints: FlagConstraints { FlagConstraints(maximum: 50) }
}

private struct Flags: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false
    @Flag("How often a payment is tried again") var retries = 3
    @Flag("When it starts") var mode = Mode.always
    @Flag("A title") var title: String? = "Sale"
    @Flag("A size") var size = Size(points: 12)
    @Flag("Since when") var since = Date(timeIntervalSince1970: 0)
    @Flag(default: 1, computedValue: { 7 }, description: "Computed") var computed: Int
    @Flag(default: 0, excludedProviderNames: ["Other"], description: "Not from the other") var excluded: Int
    @FlagCollection(description: "The upper floor") var upstairs: Floor
    @FlagCollection(description: "The lower floor") var downstairs: Floor

    var isEager: Bool { quickCheckout && retries > 3 }
    var isSlow: Bool { !quickCheckout }
    var fewRetries: Int { min(retries, 5) }
    var answer: Int { 42 }
}

private struct Floor: FlagCollectionProtocol {
    @Flag("How warm it is") var temperature = 20
    @FlagCollection(description: "The bath") var bath: Bath

    var isWarm: Bool { temperature > 20 && !bath.isOpen }
}

private struct Bath: FlagCollectionProtocol {
    @Flag("Whether the window is open") var isOpen = false
}

@Suite("Typed snapshots")
struct CollectionSnapshotTests {
    private let local = TestProvider(name: "Local")
    private let other = TestProvider(name: "Other")
    private let flags: FlagsLoader<Flags>

    init() { flags = FlagsLoader(Flags.self, providers: [local, other]) }

    private func key(_ text: String) throws -> FlagKeyPath { try #require(FlagKeyPath(text: text)) }

    @Test("A snapshot has the effective values by the declared names, and no later change touches it")
    func reads() throws {
        try other.setStoredValue(9, at: key("retries"))
        let snapshot = flags.snapshot()
        try flags.$retries.set(5)
        try flags.upstairs.bath.$isOpen.set(true)
        flags.$mode.setDefault(.never)
        #expect(snapshot.retries == 9 && snapshot.mode == .always && snapshot.title == "Sale")
        #expect(snapshot.computed == 7 && !snapshot.upstairs.bath.isOpen)
        #expect(flags.retries == 5 && flags.upstairs.bath.isOpen, "and reads outside it are as before")
    }

    @Test("Values are set by name, also in groups, and neither a copy nor a provider changes")
    func sets() throws {
        let before = flags.snapshot()
        var snapshot = before
        snapshot.quickCheckout = true
        snapshot.retries += 1
        snapshot.title = nil
        snapshot.computed = 8
        snapshot.upstairs.bath.isOpen = true
        #expect(snapshot.quickCheckout && snapshot.retries == 4 && snapshot.title == nil && snapshot.computed == 8)
        #expect(snapshot.upstairs.bath.isOpen && !snapshot.downstairs.bath.isOpen)
        #expect(!before.quickCheckout && !before.upstairs.bath.isOpen && flags.retries == 3)
        #expect(try local.store?.values == [:] && other.store?.values == [:])
        #expect(
            snapshot.differences(from: before).map(\.text)
                == ["quick_checkout", "retries", "title", "computed", "upstairs/bath/is_open"])
    }

    @Test("A property that is computed from flags is computed from those of the snapshot")
    func computedProperties() throws {
        var snapshot = flags.snapshot()
        snapshot.quickCheckout = true
        snapshot.retries = 8
        snapshot.downstairs.temperature = 25
        #expect(snapshot.isEager && !snapshot.isSlow && snapshot.fewRetries == 5 && snapshot.answer == 42)
        #expect(snapshot.downstairs.isWarm && !snapshot.upstairs.isWarm)
        #expect(!flags.isEager && flags.isSlow && !flags.downstairs.isWarm)
    }

    @Test("Snapshots are equal if their values are, whichever loader made them")
    func equality() throws {
        let prefixed = FlagsLoader(
            Flags.self, providers: [TestProvider()], keyConfiguration: KeyConfiguration(prefix: "app"))
        var snapshot = flags.snapshot()
        #expect(snapshot == prefixed.snapshot())
        snapshot.size.points = 13
        #expect(snapshot != flags.snapshot())
        snapshot.size.points = 12
        #expect(snapshot == flags.snapshot(), "values without equality are compared in their stored form")
        snapshot.upstairs.bath.isOpen = true
        #expect(snapshot != flags.snapshot() && snapshot.downstairs == flags.$downstairs.snapshot())
        #expect(flags.emptySnapshot() != flags.snapshot(), "a default is no value that is held")
    }

    @Test("A group's snapshot is replaced with that of another group of the type")
    func groups() throws {
        var snapshot = flags.snapshot()
        snapshot.upstairs.temperature = 17
        snapshot.upstairs.bath.isOpen = true
        snapshot.downstairs = snapshot.upstairs
        snapshot.upstairs.temperature = 30
        #expect(snapshot.downstairs.temperature == 17 && snapshot.downstairs.bath.isOpen)
        var bath = flags.$upstairs.snapshot().bath
        bath.isOpen = true
        #expect(bath == snapshot.downstairs.bath && bath.keyPaths.map(\.text) == ["upstairs/bath/is_open"])
    }

    @Test("A snapshot of one provider has what that holds: no broken value, and none of a flag that excludes it")
    func ofOneProvider() throws {
        try other.setStoredValue(9, at: key("retries"))
        try other.setStoredValue("broken", at: key("mode"))
        try other.setStoredValue(5, at: key("excluded"))
        try local.setStoredValue(true, at: key("quick_checkout"))
        let snapshot = flags.snapshot(of: other)
        #expect(snapshot.keyPaths.map(\.text) == ["retries"] && snapshot.retries == 9)
        #expect(snapshot.mode == .always && !snapshot.quickCheckout, "a default, whatever other providers hold")
        #expect(flags.diagnostics.current.map(\.flag?.text) == ["mode"])
        #expect(try flags.snapshot(of: "Other") == snapshot)
        #expect(flags.$upstairs.snapshot(of: other).keyPaths == [])
        #expect(throws: FlagError.self) { try flags.snapshot(of: "Nobody") }
    }

    @Test("A snapshot without values reads as the defaults, also those of optionals and later ones")
    func empty() throws {
        try local.setStoredValue(9, at: key("retries"))
        let snapshot = flags.emptySnapshot()
        #expect(snapshot.retries == 3 && snapshot.title == "Sale" && snapshot.computed == 1)
        #expect(snapshot.keyPaths.isEmpty)
        flags.$title.setDefault("New")
        #expect(snapshot.title == "New")
    }

    @Test("What is saved is what is held; an optional that is nil is removed, and other values stay")
    func saving() throws {
        try local.setStoredValue("Old", at: key("title"))
        try local.setStoredValue(1, at: key("unknown"))
        try local.setStoredValue(2, at: key("computed"))
        var snapshot = flags.emptySnapshot()
        snapshot.retries = 8
        snapshot.mode = .never
        snapshot.title = nil
        snapshot.upstairs.temperature = 22
        try snapshot.save(to: "Local")
        let saved: [String: FlagValue] = [
            "retries": 8, "mode": "never", "upstairs": ["temperature": 22], "unknown": 1, "computed": 2,
        ]
        #expect(try local.store?.values == saved)
        try flags.snapshot(of: local).save(to: other)
        #expect(try other.store?.values["mode"] == "never" && other.store?.values["unknown"] == nil)
        #expect(throws: FlagError.self) { try snapshot.save(to: "Nobody") }
        #expect(throws: FlagError.self) { try snapshot.save(to: InMemoryProvider(isWritable: false)) }
    }

    @Test("A value is removed from a snapshot, which then leaves it alone")
    func removing() throws {
        var snapshot = flags.snapshot()
        try snapshot.set(\.title, to: nil)
        try snapshot.set(\.retries, to: nil)
        #expect(snapshot.title == "Sale" && snapshot.retries == 3)
        #expect(!snapshot.keyPaths.map(\.text).contains("title") && !snapshot.keyPaths.map(\.text).contains("retries"))
        try local.setStoredValue("Kept", at: key("title"))
        try snapshot.save(to: local)
        #expect(flags.title == "Kept")
    }

    @Test(
        "A value that can't be stored is refused when it is set, or is held and refused before anything is saved",
        arguments: [
            (-1.0, "can't store size: a size is not negative"),
            (60.0, "size can't be 60: 60 is invalid: must be 50 or less"),
            (200.0, "size can't be 200: found real 200.0, expected a number of 50 or less"),
        ])
    func invalid(points: Double, text: String) throws {
        var snapshot = flags.emptySnapshot()
        let error = #expect(throws: FlagValueError.self) { try snapshot.set(\.size, to: Size(points: points)) }
        #expect(error?.description == text)
        #expect(snapshot.keyPaths.isEmpty && snapshot.size.points == 12)
        snapshot.retries = 8
        snapshot.size = Size(points: points)
        #expect(snapshot.size.points == points)
        #expect(throws: FlagValueError.self) { try snapshot.save(to: local) }
        #expect(throws: FlagValueError.self) { try snapshot.provider() }
        #expect(try local.store?.values == [:], "nothing is stored if one value can't be")
    }

    @Test("A property that is no flag is refused by name of what it reads, and nothing changes")
    func noFlags() throws {
        var snapshot = flags.snapshot()
        let before = snapshot
        let slow = #expect(throws: FlagError.self) { try snapshot.set(\.isSlow, to: true) }
        #expect(slow?.isNoFlag == true && slow?.description.contains("quick_checkout") == true)
        let eager = #expect(throws: FlagError.self) { try snapshot.set(\.isEager, to: true) }
        #expect(eager?.description.contains("quick_checkout") == true)
        let few = #expect(throws: FlagError.self) { try snapshot.set(\.fewRetries, to: 9) }
        #expect(few?.description.contains("retries") == true)
        let answer = #expect(throws: FlagError.self) { try snapshot.set(\.answer, to: 43) }
        #expect(answer?.description.contains("declare a flag") == true)
        snapshot.retries = 8
        #expect(throws: FlagError.self) { try snapshot.set(\.isEager, to: true) }
        snapshot.retries = 3
        #expect(snapshot == before)
        try snapshot.set(\.upstairs.bath.isOpen, to: true)
        #expect(snapshot.upstairs.bath.isOpen)
    }

    @Test("A set that would be lost ends the program with the reason")
    func traps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var snapshot = FlagsLoader(Flags.self, providers: []).snapshot()
            snapshot.fewRetries = 9
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the property of Flags is computed from retries"))
    }

    @Test("A snapshot is a provider of a manager or a loader, and changes apart from it")
    func asProvider() throws {
        let manager = FlagsManager(providers: [local])
        let flags = manager.addCollection(Flags.self)
        var snapshot = flags.emptySnapshot()
        snapshot.upstairs.bath.isOpen = true
        snapshot.title = nil
        let provider = try snapshot.provider(named: "Try out")
        snapshot.retries = 11
        try manager.insert(provider)
        #expect(flags.upstairs.bath.isOpen && flags.retries == 3)
        let layered = FlagsLoader(Flags.self, providers: [try snapshot.provider(), local])
        #expect(layered.retries == 11 && layered.upstairs.bath.isOpen && layered.title == "Sale")
        #expect(
            try flags.snapshot(of: snapshot.provider()).keyPaths.map(\.text) == ["retries", "upstairs/bath/is_open"])
    }

    @Test("A debugger shows the values")
    func debugging() throws {
        var snapshot = flags.emptySnapshot()
        snapshot.retries = 11
        snapshot.upstairs.bath.isOpen = true
        #expect("\(snapshot)" == "CollectionSnapshot<Flags>(retries=11; upstairs/bath/is_open=true)")
    }

    @Test("Tasks that read snapshots and flags at the same time each see their own values")
    func concurrently() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                var snapshot = flags.snapshot()
                snapshot.retries = 100 + number
                group.addTask { [snapshot, flags] in
                    for _ in 0..<200 {
                        #expect(snapshot.retries == 100 + number)
                        #expect(flags.retries == 3)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
