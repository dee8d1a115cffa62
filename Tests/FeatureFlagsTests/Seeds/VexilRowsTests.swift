import FeatureFlags
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: "A number")
    var number: Int
    @Flag(default: "none", description: "A text")
    var text: String
    @FlagCollection(description: "A group", uiRepresentation: .asSection)
    var section: Section
    @FlagCollection(description: FlagMetadata(description: "For us alone", isInternal: true, isLocked: true))
    var hidden: Hidden
}

private struct Section: FlagCollectionProtocol {
    @Flag(description: "A Boolean")
    var isOn: Bool
}

private struct Hidden: FlagCollectionProtocol {
    @FlagCollection(description: "Within")
    var within: Section
}

private struct Paths: FlagVisitor {
    var lines: [String] = []

    mutating func enter(_ collection: AnyFlagCollection) { lines.append("> \(collection.name)") }
    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { lines.append("\(flag.name): \(Value.self)") }
    mutating func leave(_ collection: AnyFlagCollection) { lines.append("<") }
}

/// What section 6 of the list of seed systems says of Vexil, a test for each claim.
@Suite("Vexil", .timeLimit(.minutes(10)))
struct VexilRowsTests {
    private let local = InMemoryProvider(name: "Local", values: ["number": 5])
    private let remote = InMemoryProvider(name: "Remote", values: ["number": 9, "text": "far"])
    private let manager: FlagsManager
    private let flags: FlagsLoader<Flags>

    init() {
        manager = FlagsManager(providers: [local, remote])
        flags = manager.addCollection(Flags.self)
    }

    @Test("The first provider that holds a value wins, else the default")
    func order() {
        #expect(flags.number == 5 && flags.text == "far" && !flags.section.isOn)
    }

    @Test("An empty snapshot is inserted as a provider, and what is set in it wins")
    func emptySnapshot() throws {
        try manager.insert(FlagSnapshot(name: "Trial"), at: 0)
        #expect(flags.number == 5)
        try flags.$number.set(7, in: "Trial")
        #expect(flags.number == 7)
    }

    @Test("A full snapshot keeps the values of one moment")
    func fullSnapshot() throws {
        try manager.insert(manager.snapshot(name: "Then"), at: 0)
        remote.replaceValues(with: ["text": "farther"])
        #expect(flags.text == "far")
    }

    @Test("A snapshot of one provider holds what that holds of the flags")
    func providerSnapshot() throws {
        #expect(try manager.snapshot(of: "Local").store?.values == ["number": 5])
    }

    @Test("A snapshot is saved to a provider")
    func save() throws {
        try manager.save(FlagSnapshot(values: ["section": ["is_on": true]]), to: "Local")
        #expect(flags.section.isOn && flags.number == 5)
    }

    @Test("Flag values are copied from one provider to another, and removed from one")
    func copyAndRemove() throws {
        try manager.copyFlagValues(from: "Remote", to: "Local")
        #expect(try local.store?.values["number"] == 9)
        try manager.removeFlagValues(in: "Local")
        #expect(try local.store?.values["number"] == nil)
        #expect(try remote.store?.values["number"] == 9)
    }

    @Test("Changes of all flags are a stream, and those of some keys")
    func changes() async throws {
        var all = flags.changes.makeAsyncIterator()
        var some = flags.changes(of: [flags.$text.keyPath]).makeAsyncIterator()
        try flags.$number.set(6, in: "Local")
        try flags.$text.set("near", in: "Local")
        #expect(await all.next()?.description == "number in Local: integer 6")
        #expect(await all.next()?.keyPath == flags.$text.keyPath)
        #expect(await some.next()?.value == "near")
    }

    @Test("Snapshots are a stream: the current one, then each other state, none twice")
    func snapshots() async throws {
        var snapshots = manager.snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.store?.values["number"] == 5)
        for number in 0..<50 { try flags.$text.set("\(number)", in: "Local") }
        try flags.$number.set(6, in: "Local")
        #expect(try await snapshots.next()?.store?.values["number"] == 6)
        // What waits of the changes above makes no snapshot.
        let next = Task { [snapshots] in
            var snapshots = snapshots
            return await snapshots.next()
        }
        for _ in 0..<100 { await Task.yield() }
        try flags.$number.set(7, in: "Local")
        #expect(try await next.value?.store?.values["number"] == 7)
    }

    @Test("A flag is a stream that starts with its current value")
    func flagValues() async throws {
        var numbers = flags.$number.values.makeAsyncIterator()
        #expect(await numbers.next() == 5)
        try flags.$number.resetValue()
        #expect([await numbers.next(), await numbers.next()] == [9, 1])
    }

    @Test("A visitor walks the tree, with the type of each flag")
    func visitor() {
        var paths = Paths()
        manager.tree.walk(&paths)
        #expect(
            paths.lines == [
                "Number: Int", "Text: String", "> Section", "Is On: Bool", "<", "> Hidden", "> Within", "Is On: Bool",
                "<", "<",
            ])
    }

    @Test("A group is shown as a page or a section, or hidden with all that is in it")
    func displayOptions() throws {
        #expect(flags.$section.uiRepresentation == .asSection)
        #expect(flags.$hidden.uiRepresentation == .asNavigation)
        let hidden = flags.hidden.within.$isOn
        #expect(hidden.metadata.isInternal && hidden.definition.metadata.isInternal)
        #expect(hidden.isLocked && !hidden.hasWritableProvider)
        #expect(!flags.section.$isOn.metadata.isInternal && !flags.section.$isOn.isLocked)
        #expect(manager.featureFlags.summary().contains("Hidden") == false)
        #expect(hidden.setValue(true).count == 2 && flags.hidden.within.isOn, "code may still write")
    }

    @Test("A value is explained: what each provider holds, and which one wins")
    func explanation() {
        #expect(
            flags.$number.explain().description == """
                number: integer 5, from Local
                  Local: integer 5
                  Remote: integer 9
                  default: integer 1
                """)
    }
}
