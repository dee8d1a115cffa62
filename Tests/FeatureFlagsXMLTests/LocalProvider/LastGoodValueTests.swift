import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Switches: FlagCollectionProtocol {
    @Flag(default: false, description: "Whether orders are stopped")
    var stop: Bool
    @Flag(default: 10, description: "How many orders an hour are taken")
    var limit: Int
    @Flag(default: .south, description: "Where orders are taken")
    var region: Region

    enum Region: String, FlagProtocol { case north, south }
}

@Suite("The last good value of a file that is broken", .timeLimit(.minutes(10)))
struct LastGoodValueTests {
    /// A row of the table: what happens to a file that holds sound values, and what counts then.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What the file holds afterwards; `nil` where it is gone.
        let content: String?
        var isLimitStale = true
        var isRegionStale = true
    }

    static let sound =
        "<dict><key>stop</key><true/><key>limit</key><integer>3</integer><key>region</key><string>north</string></dict>"

    static let cases = [
        Case(testDescription: "unreadable", content: "<dict><key>stop</key>"),
        Case(testDescription: "not a dictionary", content: "<array/>"),
        Case(testDescription: "missing", content: nil),
        Case(
            testDescription: "mistyped",
            content: "<dict><key>stop</key><string>perhaps</string><key>limit</key><integer>3</integer>"
                + "<key>region</key><string>north</string></dict>",
            isLimitStale: false, isRegionStale: false),
        Case(
            testDescription: "mistyped with a value of the same kind",
            content: "<dict><key>stop</key><array/><key>limit</key><string>3x</string>"
                + "<key>region</key><string>nroth</string></dict>"),
    ]

    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("flags.xml")
    }

    private func write(_ root: String?) throws {
        guard let root else { return try FileManager.default.removeItem(at: file) }
        try Data("<plist version=\"1.0\">\(root)</plist>".utf8).write(to: file, options: .atomic)
    }

    /// Does something to the file, and waits until the provider knows it.
    private func have(_ provider: LocalProvider, know change: () throws -> Void) async throws {
        guard let updates = provider.updates else { return try change() }
        try change()
        for await _ in updates { return }
    }

    @Test("Every way out gives it and says that it is stale", arguments: cases, [true, false])
    func stale(_ row: Case, isWatched: Bool) async throws {
        try write(Self.sound)
        let provider = LocalProvider(localURL: file, isWatched: isWatched, patience: .zero)
        let manager = FlagsManager(providers: [provider])
        let flags = manager.addCollection(Switches.self)
        #expect(flags.stop && flags.limit == 3 && flags.region == .north)
        try await have(provider) { try write(row.content) }
        for _ in 0..<2 {
            #expect(flags.stop && flags.limit == 3 && flags.region == .north)
            #expect(flags.$stop.flagValue().value == true && flags.$stop.flagValue().source?.name == "Local")
            #expect(flags.$stop.flagValue(from: "Local", fallback: false).value == true)
            #expect(provider.lastGoodValue(at: flags.$stop.keyPath) == true)
            let snapshot = manager.snapshot()
            #expect(try snapshot.storedValue(at: flags.$stop.keyPath) == .bool(true))
            let explanation = flags.$stop.explain()
            #expect(explanation.resolution.isStale && explanation.resolution.brokenSources.map(\.provider) == ["Local"])
            #expect(explanation.description.contains("boolean true, from Local, stale (last good value)"))
            #expect(explanation.state == .overriddenOn)
            #expect(flags.$limit.explain().resolution.isStale == row.isLimitStale)
            #expect(flags.$region.explain().resolution.isStale == row.isRegionStale)
            let broken = manager.diagnostics.current.filter { $0.flag == flags.$stop.keyPath }
            #expect(broken.map(\.provider) == ["Local"])
        }
        #expect(throws: FlagValueError.self) { try provider.value(of: Bool.self, at: flags.$stop.keyPath) }
        try await have(provider) { try write("<dict><key>limit</key><integer>4</integer></dict>") }
        #expect(!flags.stop && flags.limit == 4 && flags.region == .south)
        #expect(!flags.$stop.explain().resolution.isStale)
    }

    @Test("It is a later one that counts, however late it is read, and none from before the value was removed")
    func unread() async throws {
        try write("<dict><key>stop</key><false/><key>limit</key><integer>3</integer></dict>")
        let provider = LocalProvider(localURL: file, isWatched: true, patience: .zero)
        guard provider.store != nil else { return }
        let flags = FlagsLoader(Switches.self, providers: [provider])
        let wrong = "<dict><key>stop</key><string>x</string><key>limit</key><string>y</string></dict>"
        for root in ["<dict><key>stop</key><true/><key>other</key><true/></dict>", wrong] {
            try await have(provider) { try write(root) }
        }
        #expect(flags.stop)
        #expect(flags.limit == 10)
        #expect(flags.$limit.explain().resolution.source == .defaultValue)
        #expect(flags.$limit.explain().resolution.brokenSources.map(\.provider) == ["Local"])
    }

    @Test("Where there never was one, the next provider's value counts, else the default", arguments: [true, false])
    func neverGood(isWatched: Bool) throws {
        try write("<dict><key>stop</key><string>perhaps</string><key>limit</key>")
        let provider = LocalProvider(localURL: file, isWatched: isWatched)
        let other = InMemoryProvider(values: ["limit": .integer(5)])
        let flags = FlagsLoader(Switches.self, providers: [provider, other])
        #expect(!flags.stop && flags.limit == 5)
        let stop = flags.$stop.explain().resolution
        #expect(stop.source == .defaultValue && !stop.isStale && stop.brokenSources.map(\.provider) == ["Local"])
        #expect(flags.$limit.explain().resolution.brokenSources.map(\.provider) == ["Local"])
    }

    @Test("A file that never was there is empty, and nothing is broken", arguments: [true, false])
    func neverThere(isWatched: Bool) throws {
        let flags = FlagsLoader(
            Switches.self, providers: [LocalProvider(localURL: file, isWatched: isWatched)])
        #expect(!flags.stop && flags.$stop.explain().resolution.brokenSources.isEmpty)
    }

    @Test("A change makes a file anew that is gone, and what it held before is absent then", arguments: [true, false])
    func madeAnew(isWatched: Bool) async throws {
        try write(Self.sound)
        let provider = LocalProvider(localURL: file, isWatched: isWatched, patience: .zero)
        let flags = FlagsLoader(Switches.self, providers: [provider])
        #expect(flags.stop)
        try await have(provider) { try write(nil) }
        try flags.$limit.set(4, in: provider.name)
        #expect(!flags.stop && flags.limit == 4 && !flags.$limit.explain().resolution.isStale)
    }

    @Test("An observer of a flag is told of no other value, and of the next one")
    func observed() async throws {
        try write(Self.sound)
        let provider = LocalProvider(localURL: file, patience: .zero)
        guard provider.store != nil else { return }
        let flags = FlagsLoader(Switches.self, providers: [provider])
        var values = flags.$limit.values.makeAsyncIterator()
        #expect(await values.next() == 3)
        try await have(provider) { try write(nil) }
        try await have(provider) { try write("<dict><key>limit</key><string>x</string></dict>") }
        try await have(provider) { try write("<dict><key>limit</key><integer>4</integer></dict>") }
        #expect(await values.next() == 4)
    }

    @Test("A group that a value takes the place of keeps the values in it, and a dictionary those of its entries")
    func groups() throws {
        struct Fees: FlagCollectionProtocol {
            @Flag(default: [:], description: "Fees by region")
            var fees: [String: Int]
        }
        let dark = FlagDefinition(key: FlagKeyPath(components: ["ui", "dark"]), type: .bool)
        for broken in [FlagValue.string("y"), .dictionary(["north": .string("one")])] {
            let memory = InMemoryProvider(values: [
                "ui": .dictionary(["dark": .bool(true)]), "fees": .dictionary(["north": .integer(1)]),
            ])
            let flags = FlagsLoader(Fees.self, providers: [memory])
            memory.replaceValues(with: ["ui": .string("x"), "fees": broken])
            #expect(flags.fees == ["north": 1] && flags.$fees.explain().resolution.isStale)
            #expect(dark.resolve(in: [memory]).effectiveValue == .bool(true))
            memory.replaceValues(with: ["fees": broken])
            #expect(dark.resolve(in: [memory]).brokenSources.isEmpty)
            #expect(flags.fees == ["north": 1])
        }
    }
}
