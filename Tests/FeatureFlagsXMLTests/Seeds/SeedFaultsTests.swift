import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 3, description: "A number")
    var number: Int
    @Flag(default: 1, description: "A small number")
    var small: Int8
    @Flag(default: true, description: "A Boolean")
    var isOn: Bool
    @Flag(key: "text", description: "An optional text")
    var text: String?
    @Flag(default: JSONData(["a": 0]), description: "JSON")
    var json: JSONData
    @Flag(name: "In the flag", default: 0, description: .init(name: "In the metadata", description: "Named twice"))
    var namedTwice: Int
    @Flag(default: 0, description: .init(name: "In the metadata", description: "Named in the metadata"))
    var named: Int
    @Flag(default: .first, description: "A choice")
    var choice: Choice
    @Flag(default: 1, description: .init(description: "Needs a restart", requiresRestart: true))
    var threads: Int
}

private struct MoreFlags: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .skip, description: "Organises alone")
    var group: Group
}

private struct Group: FlagCollectionProtocol {
    @Flag(default: 0, description: "The same key path as another flag's")
    var number: Int
}

private enum Choice: String, CaseIterable, FlagProtocol { case first, second }

/// What section 8 of the list of seed systems says is wrong with them, a test for each fault that is a library's.
@Suite("Faults of the seed systems", .timeLimit(.minutes(10)))
struct SeedFaultsTests {
    private let folder: TemporaryFolder
    private let manager: FlagsManager
    private let flags: FlagsLoader<Flags>

    init() throws {
        folder = try TemporaryFolder()
        manager = FlagsManager(providers: [LocalProvider(localURL: folder.file("flags.xml"))])
        flags = manager.addCollection(Flags.self)
    }

    private var file: URL { folder.file("flags.xml") }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: file, options: .atomic) }

    private func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The flags as another process would read them from the file.
    private func flagsAnew() -> FlagsLoader<Flags> {
        FlagsLoader(Flags.self, providers: [LocalProvider(localURL: file, name: "Anew")])
    }

    @Test("A corrupt file is not taken for an empty one, and is not overwritten")
    func corruptFile() throws {
        let corrupt = "<plist version=\"1.0\"><dict><key>number</key><integer>7</integer>"
        try write(corrupt)
        let flags = flagsAnew()
        #expect(flags.number == 3)
        #expect(flags.diagnostics.current.first?.problem.description.contains("can't read ") == true)
        #expect(flags.$number.setValue(4).isEmpty)
        #expect(try text() == corrupt)
    }

    @Test("JSON is read back")
    func json() {
        flags.$json.setValue(JSONData(["a": ["b": 2], "none": Optional<Int>.none as Any]))
        #expect(flags.json.valueForKey("a.b") == 2)
        #expect(flagsAnew().json == flags.json)
    }

    @Test("A nil within an optional removes the value, and the next change is saved")
    func nilWithin() throws {
        flags.$text.setValue("text")
        #expect(flags.$text.setValue(.some(nil)).count == 1)
        #expect(flags.$number.setValue(5).count == 1)
        #expect(flagsAnew().text == nil && flagsAnew().number == 5)
    }

    @Test("A change through a scalar is refused, and the scalar stays")
    func throughScalar() throws {
        flags.$number.setValue(5)
        let below = Flag(key: "below", default: 0, description: "Below a number")
        let others = FlagsManager(providers: [LocalProvider(localURL: file)])
        try others.register(below, in: ["number"])
        #expect(throws: (any Error).self) { try below.set(1, in: "Local") }
        #expect(flagsAnew().number == 5)
    }

    @Test("A change touches the bytes of its value alone")
    func minimalEdit() throws {
        let before = "<plist version='1.0'><dict><!-- kept --><key>number</key>  <integer>1</integer></dict></plist>"
        try write(before)
        #expect(flagsAnew().$number.setValue(2).count == 1)
        #expect(try text() == before.replacing("<integer>1<", with: "<integer>2<"))
    }

    @Test("Two writers of one file keep each other's changes")
    func twoWriters() throws {
        let other = flagsAnew()
        flags.$number.setValue(4)
        other.$isOn.setValue(false)
        flags.$small.setValue(5)
        let anew = flagsAnew()
        #expect(anew.number == 4 && !anew.isOn && anew.small == 5)
    }

    @Test("An edit of the file by others is seen and told")
    func outsideEdit() async throws {
        var numbers = flags.$number.values.makeAsyncIterator()
        #expect(await numbers.next() == 3)
        try write("<plist version=\"1.0\"><dict><key>number</key><integer>8</integer></dict></plist>")
        #expect(await numbers.next() == 8)
        #expect(flags.number == 8)
    }

    @Test("A provider that is not writable is not written")
    func notWritable() throws {
        let provider = LocalProvider(localURL: file, isWritable: false)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(try provider.setValue(1, forFlag: flags.$number.keyPath) == false)
        #expect(throws: (any Error).self) { try flags.$number.set(1, in: provider.name) }
        #expect(throws: (any Error).self) { try provider.resetAllData() }
        #expect(try folder.names.isEmpty)
    }

    @Test("A reset is told")
    func resetTold() async throws {
        flags.$number.setValue(5)
        var changes = manager.changes.makeAsyncIterator()
        try flags.$number.resetValue()
        #expect(await changes.next()?.description == "number in Local: none")
    }

    @Test("A flag is read after its loader is gone")
    func loaderGone() {
        var loader: FlagsLoader<Flags>? = flagsAnew()
        let flag = loader?.$number
        loader = nil
        #expect(flag?.setValue(6).count == 1 && flag?.wrappedValue == 6)
    }

    @Test("Tasks that write at once lose no change")
    func tasks() async throws {
        let provider = LocalProvider(localURL: file)
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<10 { try provider.setValue(number, forFlag: key("t\(task)/n\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        let anew = LocalProvider(localURL: file)
        for task in 0..<4 {
            for number in 0..<10 { #expect(anew.lastGoodValue(at: try key("t\(task)/n\(number)")) == number) }
        }
    }

    @Test("A number that its type can't hold is broken and doesn't trap", arguments: ["128", "-129", "1e3", "9999999"])
    func narrowing(number: String) throws {
        try write("<plist version=\"1.0\"><dict><key>small</key><string>\(number)</string></dict></plist>")
        let flags = flagsAnew()
        #expect(flags.small == 1)
        #expect(flags.$small.explain().resolution.isBroken)
    }

    @Test("Text that says no value of the type is broken, and neither false nor 0")
    func junk() throws {
        try write(
            "<plist version=\"1.0\"><dict><key>is_on</key><string>junk</string><key>number</key><string>abc</string>"
                + "</dict></plist>")
        let flags = flagsAnew()
        #expect(flags.isOn && flags.number == 3)
        #expect(
            flags.diagnostics.current.map(\.description) == [
                #"is_on in Anew is broken: found string "junk", expected true or false"#,
                #"number in Anew is broken: found string "abc", "#
                    + "expected a whole number between \(Int.min) and \(Int.max)",
            ])
    }

    @Test("A name in the metadata is kept, unless the flag has one itself")
    func names() {
        #expect(flags.$named.name == "In the metadata" && flags.$namedTwice.name == "In the flag")
    }

    @Test("Two providers of one type are told apart by name")
    func twoOfOneType() throws {
        let (user, team) = (LocalProvider(name: "User"), LocalProvider(name: "Team"))
        let flags = FlagsLoader(Flags.self, providers: [user, team])
        try flags.$number.set(9, in: "Team")
        #expect(flags.$number.flagValue(from: "User", fallback: false).value == nil)
        #expect(flags.$number.flagValue(from: "Team").value == 9)
        #expect(flags.$number.explain().resolution.source == .provider("Team"))
    }

    @Test("Flags that share a key path are found and named, also where a group is no part of it")
    func collisions() {
        manager.addCollection(MoreFlags.self)
        #expect(
            manager.keyCollisions.map(\.description) == [
                "number: Group > Number and Number have the same key path; change one of the keys"
            ])
    }

    @Test("A list of flags can follow every edit")
    func listFollows() async throws {
        var snapshots = manager.snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.storedValue(at: key("number")) == 3)
        flags.$number.setValue(4)
        #expect(try await snapshots.next()?.storedValue(at: key("number")) == 4)
    }

    @Test("What waits for a restart can be asked for")
    func restart() {
        flags.$threads.setValue(2)
        #expect(manager.flagsAwaitingRestart.map(\.keyPath) == [flags.$threads.keyPath])
    }

    @Test("A tool sets an enum by its stored form, and only to one of its cases")
    func enumByTool() throws {
        let choice = try #require(manager.featureFlags.first { $0.keyPath.flatKey == "choice" })
        try choice.setStoredValue("second", in: "Local")
        #expect(flags.choice == .second)
        #expect(throws: FlagValueError.self) { try choice.setStoredValue("third", in: "Local") }
        #expect(flags.choice == .second)
    }

    @Test("A change that can't be stored is reported, or thrown")
    func writeErrors() throws {
        try Data().write(to: folder.file("no folder"))
        let provider = LocalProvider(localURL: folder.file("no folder/flags.xml"))
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.$number.setValue(1).isEmpty)
        #expect(flags.diagnostics.current.map(\.kind) == [.refusedChange])
        #expect(throws: (any Error).self) { try flags.$number.set(1, in: "Local") }
    }

    @Test("No read waits for a provider that is still loading")
    func loading() async throws {
        let (gate, started) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let remote = CodableProvider(name: "Remote") {
            started.continuation.finish()
            for await _ in gate.stream {}
            return Data(#"{"number": 9}"#.utf8)
        }
        let manager = FlagsManager(providers: [remote])
        let flags = manager.addCollection(Flags.self)
        async let ready: Void = manager.setUp()
        for await _ in started.stream {}
        #expect(flags.number == 3)
        gate.continuation.finish()
        try await ready
        #expect(flags.number == 9)
    }

    @Test("An index that is negative or too large finds nothing", arguments: ["-1", "2", "9223372036854775807"])
    func badIndex(index: String) throws {
        let provider = InMemoryProvider(values: ["list": [1, 2]])
        #expect(try provider.storedValue(at: FlagKeyPath(components: ["list", index])) == nil)
    }

    @Test("The flags of every collection are listed, not only the last one's")
    func allCollections() {
        manager.addCollection(MoreFlags.self)
        #expect(manager.loaders.count == 2 && manager.featureFlags.count == 10)
    }

    @Test("A tool's bad number is refused, and does not become 0")
    func badNumber() throws {
        let number = try #require(manager.featureFlags.first { $0.keyPath.flatKey == "number" })
        #expect(throws: FlagValueError.self) { try number.setStoredValue("-", in: "Local") }
        #expect(flags.number == 3)
        #expect(try folder.names.isEmpty)
    }
}
