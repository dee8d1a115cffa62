import FeatureFlags
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: "A number")
    var number: Int

    @Flag(default: "none", description: "A text")
    var text: String

    @Flag(key: "maybe", description: "Nothing by default")
    var maybe: String?
}

@Suite("Snapshots")
struct SnapshotTests {
    private let local = TestProvider(name: "Local", values: ["number": .integer(5), "unknown": .bool(true)])
    private let remote = TestProvider(name: "Remote", values: ["number": .integer(9), "text": .string("far")])
    private let manager: FlagsManager
    private let flags: FlagsLoader<Flags>

    init() {
        manager = FlagsManager(providers: [local, remote])
        flags = manager.addCollection(Flags.self)
    }

    @Test("A full snapshot holds the effective values, and no later change touches it")
    func full() throws {
        let snapshot = manager.snapshot()
        flags.$number.setValue(6)
        #expect(try snapshot.store?.values == ["number": .integer(5), "text": .string("far")])
    }

    @Test("A snapshot of one provider holds what that provider holds of the flags")
    func ofOneProvider() throws {
        #expect(try manager.snapshot(of: "Local").store?.values == ["number": .integer(5)])
        #expect(throws: FlagError.self) { try manager.snapshot(of: "Nobody") }
    }

    @Test("A snapshot is inserted as a provider, and taken out again")
    func asProvider() throws {
        let snapshot = FlagSnapshot(name: "Try out")
        try manager.insert(snapshot)
        #expect(flags.number == 5, "an empty one changes nothing")
        try flags.$number.set(77, in: "Try out")
        #expect(flags.number == 77)
        #expect(throws: FlagError.self) { try manager.insert(FlagSnapshot(name: "Local")) }
        manager.removeProvider(named: "Try out")
        #expect(flags.number == 5)
        try manager.insert(snapshot, at: 99)
        #expect(manager.providers.map(\.name) == ["Local", "Remote", "Try out"])
    }

    @Test("A snapshot is saved to a provider, whose other values stay")
    func saving() throws {
        try manager.save(FlagSnapshot(values: ["number": .integer(8), "text": .string("new")]), to: "Local")
        #expect(
            try local.store?.values == ["number": .integer(8), "text": .string("new"), "unknown": .bool(true)])
    }

    @Test("Values are copied from one provider, or from what is in force, to another")
    func copying() throws {
        try manager.copyFlagValues(from: "Remote", to: "Local")
        #expect(try local.store?.values["number"] == .integer(9))
        try local.setStoredValue(.string("near"), at: FlagKeyPath(components: ["text"]))
        try manager.copyFlagValues(from: nil, to: "Remote")
        #expect(try remote.store?.values == ["number": .integer(9), "text": .string("near")])
    }

    @Test("The flags' values are removed from one provider, or from all")
    func removing() throws {
        try manager.removeFlagValues(in: "Local")
        #expect(try local.store?.values == ["unknown": .bool(true)])
        #expect(flags.number == 9)
        try manager.resetAll()
        #expect(flags.number == 1)
        #expect(flags.text == "none")
    }
}
