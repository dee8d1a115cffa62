import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Testing

private enum Mode: String, CaseIterable, FlagProtocol { case never, always }

private struct Flags: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false
    @Flag("How often a payment is tried again", suggestions: [1, 3]) var paymentRetries = 3
    @Flag("When it starts") var mode = Mode.always
    @Flag("A title", key: "heading") var title: String? = nil
    @Flag(excludedProviderNames: ["Second"], description: "With the label") var labelled = 1.5
    @Flag var bare = "text"
    @Flag var off = false
    @Flag("Off, too") var alsoOff: Bool
    @Flag var plain: Bool
    @Flag var word: String
    @Flag var maybe: Int?
    @Flag("A greeting") var greeting: String
    @Flag("A note") var note: Int?
    @Flag(default: [1, 2]) var numbers: [Int]
    @Flag(dynamicDefault: { flag in flag.keyPath.text.count }, description: "Knows its key path") var length: Int
}

private struct Grouped: FlagCollectionProtocol {
    @FlagCollection("Paying", key: "pay") var paying: Inner
    @FlagCollection var bare: Inner
    @FlagCollection("Given") var given = Inner()
    @FlagCollection("Skipped", name: "Shown", keyConfiguration: .skip, uiRepresentation: .asSection) var skipped: Inner
}

private struct Hidden: FlagCollectionProtocol {
    @Flag("Hidden") var changes = false
    @Flag("Hidden") var metadata = 1
    @Flag("Not hidden") var metadatum = 1
    @FlagCollection(description: "A group") var providers: Inner
}

private struct Inner: FlagCollectionProtocol {
    @Flag("Not hidden, since it is in a group") var tree = false
}

private let shop = FlagsLoader(Flags.self, providers: [InMemoryProvider()])

@Suite("What one tries first")
struct FirstTriesTests {
    private let memory = InMemoryProvider(name: "Memory")
    private let second = InMemoryProvider(name: "Second")

    @Test("The initial value of the property is the default, and the text its description")
    func declared() {
        let flags = FlagsLoader(Flags.self, providers: [memory])
        #expect(!flags.quickCheckout && flags.paymentRetries == 3 && flags.mode == .always && flags.title == nil)
        #expect(flags.labelled == 1.5 && flags.bare == "text" && !flags.off && !flags.alsoOff)
        #expect(!flags.plain && flags.word.isEmpty && flags.maybe == nil && flags.$plain.keyPath.text == "plain")
        #expect(flags.greeting.isEmpty && flags.note == nil && flags.$note.description == "A note")
        #expect(flags.numbers == [1, 2] && flags.length == "length".count)
        #expect(flags.$quickCheckout.description == "Pay in one click" && flags.$alsoOff.description == "Off, too")
        #expect(flags.$labelled.description == "With the label" && flags.$bare.description.isEmpty)
        #expect(flags.$paymentRetries.definition.suggestions == [1, 3])
        #expect(flags.$title.keyPath.text == "heading" && flags.$title.definition.isOptional)
        #expect(flags.$mode.definition.constraints.choices == ["never", "always"])
        #expect(flags.$length.definition.computed == .default)
    }

    @Test("A group is declared as a flag is: with a text, with its value, or bare")
    func groups() throws {
        let flags = FlagsLoader(Grouped.self, providers: [memory])
        #expect(flags.featureFlags.map(\.keyPath.text) == ["pay/tree", "bare/tree", "given/tree", "tree"])
        #expect(flags.$paying.metadata.description == "Paying" && flags.$bare.metadata.description.isEmpty)
        #expect(flags.$given.metadata.description == "Given" && flags.$skipped.name == "Shown")
        #expect(flags.$skipped.uiRepresentation == .asSection)
        try flags.given.$tree.set(true)
        #expect(flags.given.tree && !flags.bare.tree)
    }

    @Test("A value is set in the first writable provider, in one that is at hand, or nowhere")
    func sets() throws {
        let fixed = InMemoryProvider(name: "Fixed", isWritable: false)
        let flags = FlagsLoader(Flags.self, providers: [fixed, memory, second])
        try flags.$paymentRetries.set(5)
        #expect(try memory.store?.values == ["payment_retries": 5] && second.store?.values == [:])
        try flags.$paymentRetries.set(7, in: second)
        #expect(try flags.paymentRetries == 5 && second.store?.values == ["payment_retries": 7])
        try flags.$paymentRetries.set(nil)
        #expect(flags.paymentRetries == 7)
        #expect(throws: FlagError.self) { try flags.$paymentRetries.set(1, in: fixed) }
        let none = FlagsLoader(Flags.self, providers: [fixed])
        let error = #expect(throws: FlagError.self) { try none.$paymentRetries.set(1) }
        #expect(error?.description.contains("payment_retries") == true)
    }

    @Test("Snapshots and copies take providers that are at hand, also those of no list")
    func providersAtHand() throws {
        let manager = FlagsManager(providers: [memory])
        let flags = manager.addCollection(Flags.self)
        try second.setStoredValue(9, at: flags.$paymentRetries.keyPath)
        try second.setStoredValue("broken", at: flags.$quickCheckout.keyPath)
        #expect(try manager.snapshot(of: second).store?.values == ["payment_retries": 9])
        #expect(manager.diagnostics.current.map(\.flag) == [flags.$quickCheckout.keyPath])
        try manager.copyFlagValues(from: second, to: memory)
        #expect(try flags.paymentRetries == 9 && memory.store?.values == ["payment_retries": 9])
        try second.setStoredValue(3.5, at: flags.$labelled.keyPath)
        #expect(try manager.snapshot(of: second).store?.values["labelled"] == nil, "the flag excludes it")
    }

    @Test("A flag is a sequence of its values")
    func sequence() async throws {
        let flags = FlagsLoader(Flags.self, providers: [memory])
        var seen: [Int] = []
        for await value in flags.$paymentRetries {
            seen.append(value)
            if value == 5 { break }
            try flags.$paymentRetries.set(value + 1)
        }
        #expect(seen == [3, 4, 5])
    }

    @Test("A flag is the same in a set, whatever its value is")
    func identity() throws {
        let (flags, others) = (
            FlagsLoader(Flags.self, providers: [memory]), FlagsLoader(Flags.self, providers: [memory])
        )
        let set: Set = [flags.$paymentRetries]
        try flags.$paymentRetries.set(8)
        #expect(set.contains(flags.$paymentRetries) && !set.contains(others.$paymentRetries))
    }

    @Test("A property that the loader hides is reported, and no other")
    func hidden() {
        let loader = FlagsLoader(Hidden.self, providers: [memory])
        let reports = loader.diagnostics.current
        #expect(reports.allSatisfy { $0.kind == .hiddenProperty })
        #expect(reports.map { $0.flag?.text } == ["changes", "metadata", "providers/tree"])
        #expect(
            reports.first?.description
                == "changes: the loader has a member named changes, which hides the property; read it as "
                + "loadedCollection.changes, or rename the property and give it the old name as its key")
        #expect(!loader.loadedCollection.changes && loader.metadatum == 1)
    }

    @Test("Flags of several types are set for one body")
    func severalTypes() async {
        withFlags(.set(shop.$quickCheckout, to: true), .set(shop.$paymentRetries, to: 0), .set(shop.$mode, to: .never))
        {
            #expect(shop.quickCheckout && shop.paymentRetries == 0 && shop.mode == .never)
        }
        await withFlags(.set(shop.$title, to: "Sale"), .set(shop.$labelled, to: 0)) {
            await Task { #expect(shop.title == "Sale" && shop.labelled == 0) }.value
        }
        #expect(!shop.quickCheckout && shop.paymentRetries == 3 && shop.title == nil)
    }

    @Test("A trait sets flags for a test", .flag(shop.$quickCheckout, true), .flag(shop.$paymentRetries, 7))
    func trait() async {
        #expect(shop.quickCheckout && shop.paymentRetries == 7)
        await Task { #expect(shop.quickCheckout) }.value
    }

    @Suite("With a flag", .flag(shop.$paymentRetries, 11))
    struct OfSuite {
        @Test("A trait of a suite sets flags for each of its tests", arguments: [1, 2])
        func each(number: Int) { #expect(shop.paymentRetries == 11) }
    }
}
