import FeatureFlags
import Foundation
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: "A number")
    var number: Int
    @Flag(default: .distantPast, description: "A date that can't be stored")
    var since: Date
}

private struct Clash: FlagCollectionProtocol {
    @Flag(key: "number", default: 2, description: "The first one's key")
    var second: Int
    @Flag(key: "number", default: 3, description: "The key of both")
    var third: Int
}

@Suite("What is reported of flags and providers")
struct DiagnosticsTests {
    private let first = TestProvider(name: "First")
    private let second = TestProvider(name: "Second", isWritable: false)

    private func texts(_ diagnostics: FlagDiagnostics, _ isWanted: (FlagDiagnostic.Kind) -> Bool) -> [String] {
        diagnostics.current.filter { isWanted($0.kind) }.map(\.description)
    }

    @Test("Two providers of one name are reported when a list is loaded, until one of them is gone")
    func providerNames() throws {
        let loader = FlagsLoader(Flags.self, providers: [first, TestProvider(name: "First")])
        let told = ["First: 2 providers have this name; rename all but one"]
        #expect(texts(loader.diagnostics) { $0 == .providerCollision } == told)
        let manager = FlagsManager(providers: [first, TestProvider(name: "First"), second])
        #expect(manager.diagnostics.current.map(\.description) == told)
        #expect(manager.diagnostics.current.first?.flag == nil)
        manager.removeProvider(named: "First")
        #expect(manager.diagnostics.current.isEmpty)
    }

    @Test("A default that can't be stored is reported when its flag is loaded, until it is another")
    func unstorableDefault() throws {
        let flags = FlagsLoader(Flags.self, providers: [first])
        let diagnostic = try #require(flags.diagnostics.current.first)
        #expect(diagnostic.kind == .unstorableDefault && diagnostic.flag?.text == "since")
        #expect(flags.since == .distantPast, "a read returns it")
        flags.$since.setDefault(Date(timeIntervalSince1970: 0))
        #expect(flags.diagnostics.current.isEmpty)
    }

    @Test("A broken value and a refused change of one flag in one provider are both reported")
    func kinds() throws {
        let broken = TestProvider(name: "Second", values: ["number": .string("none")], isWritable: false)
        let flags = FlagsLoader(Flags.self, providers: [broken])
        #expect(flags.number == 1)
        flags.$number.setValue(5, providers: [TestProvider.self])
        let told = flags.diagnostics.current.filter { $0.flag == flags.$number.keyPath }
        #expect(told.count == 2)
        #expect(told.contains { $0.kind == .refusedChange } && told.contains { $0.kind != .refusedChange })
    }

    @Test("A refused change is reported until one is taken")
    func refusal() throws {
        let provider = TestProvider(name: "First", values: ["group": .bool(true)])
        let manager = FlagsManager(providers: [provider])
        let flag = Flag(key: "flag", default: false, description: "Below a value")
        try manager.register(flag, in: ["group"])
        flag.setValue(true)
        #expect(manager.diagnostics.current.map(\.kind) == [.refusedChange])
        try provider.setStoredValue(nil, at: FlagKeyPath(components: ["group"]))
        flag.setValue(true)
        #expect(manager.diagnostics.current.isEmpty)
        provider.store?.replace(with: ["group": .bool(true)])
        flag.override = .disabled
        #expect(manager.diagnostics.current.map(\.kind).contains(.refusedChange))
        provider.store?.replace(with: [:])
        flag.override = .disabled
        #expect(!flag.wrappedValue && manager.diagnostics.current.isEmpty)
    }

    @Test("What was reported of a provider is forgotten when it is removed, and of a value when it is looked at again")
    func forgetting() throws {
        let manager = FlagsManager(providers: [first])
        let flag = Flag(key: "number", default: 1, description: "A number")
        try manager.register(flag)
        try first.store?.set(.string("none"), at: flag.keyPath)
        #expect(flag.wrappedValue == 1)
        #expect(manager.diagnostics.current.count == 1)
        try manager.insert(TestProvider(name: "Above", values: ["number": .integer(2)]))
        try first.store?.set(.integer(3), at: flag.keyPath)
        #expect(flag.wrappedValue == 2)
        _ = flag.explain()
        #expect(manager.diagnostics.current.isEmpty, "an explanation looks at every provider")
        try first.store?.set(.string("none"), at: flag.keyPath)
        manager.removeProvider(named: "Above")
        #expect(flag.wrappedValue == 3, "its last good value")
        #expect(manager.diagnostics.current.count == 1)
        manager.removeProvider(named: "First")
        #expect(manager.diagnostics.current.isEmpty)
    }

    @Test("Every collision of a key is reported, and none any more once its flags are gone")
    func collisions() throws {
        let manager = FlagsManager(providers: [first])
        manager.addCollection(Flags.self)
        manager.addCollection(Clash.self)
        let told = texts(manager.diagnostics) { $0 == .keyCollision }
        #expect(
            told == [
                "number: Second and Number have the same key path; change one of the keys",
                "number: Third and Second have the same key path; change one of the keys",
            ])
        manager.removeCollection(forType: Clash.self)
        #expect(texts(manager.diagnostics) { $0 == .keyCollision }.isEmpty)
    }

    @Test("A snapshot of a provider leaves out what is broken there, and reports it")
    func snapshot() throws {
        let manager = FlagsManager(providers: [first])
        manager.addCollection(Flags.self)
        try first.store?.set(.string("none"), at: FlagKeyPath(components: ["number"]))
        let snapshot = try manager.snapshot(of: "First")
        #expect(try snapshot.store?.values.isEmpty == true)
        let told = try #require(manager.diagnostics.current.first { $0.flag?.text == "number" })
        #expect(
            told.description
                == "number in First is broken: found string \"none\", expected a whole number between \(Int.min) and \(Int.max)"
        )
    }

    @Test("Two snapshots differ at the key paths of what is other in them")
    func differences() throws {
        let before = FlagSnapshot(values: ["a": .integer(1), "g": .dictionary(["x": .bool(true), "y": .bool(true)])])
        let after = FlagSnapshot(values: ["a": .integer(1), "g": .dictionary(["x": .bool(false)]), "b": .integer(2)])
        #expect(after.differences(from: before).map(\.text) == ["b", "g/x", "g/y"])
        #expect(before.differences(from: before).isEmpty)
    }
}
