import FeatureFlags
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("Control of a Boolean in the list")
struct BooleanControlTests {
    private func row(
        _ entry: FlagEntry, _ providers: [FixedProvider]? = nil, by role: ChangeAuthor.Role? = nil
    ) -> FlagRow {
        FlagRow(entry, in: Samples.view(Samples.catalogue([entry], providers: providers), by: role))
    }

    private func entry(
        default value: FlagValue? = .bool(false), in providers: [FixedProvider], isDefined: Bool = true
    ) -> FlagEntry {
        let definition = FlagDefinition(key: Samples.key("on"), type: .bool, defaultValue: value)
        return Samples.entry(definition, in: providers, isDefined: isDefined)
    }

    /// What a button is to the hand and to a screen reader: its text, or what it says besides.
    private func names(_ control: BooleanControl) -> [String] { control.options.map { $0.meaning ?? $0.text } }

    @Test(
        "The button of what the provider holds is pressed, and none where that is broken",
        arguments: [
            (nil, ["Default: on"]), (.bool(true), ["On"]), (.bool(false), ["Off"]), (.string("yes"), ["On"]),
            (.string("maybe"), []),
        ] as [(FlagValue?, [String])])
    func pressed(stored: FlagValue?, pressed: [String]) throws {
        let control = try #require(row(Samples.entry("on", .bool, default: .bool(true), stored: stored)).control)
        #expect(control.options.filter(\.isPressed).map(\.text) == pressed)
        #expect(control.provider == nil && control.revision == FlagRevision(of: stored).rawValue)
        #expect(control.options.map(\.action) == ["reset", "on", "off"])
    }

    @Test(
        "Each button says what the flag is then",
        arguments: [
            (.bool(false), "Default: off"), (.bool(true), "Default: on"),
            (nil, "Not set, remove the value: no value"),
        ] as [(FlagValue?, String)])
    func meanings(fallback: FlagValue?, reset: String) throws {
        let control = try #require(row(entry(default: fallback, in: [FixedProvider(name: "local")])).control)
        #expect(names(control) == [reset, "On", "Off"])
        for (option, name) in zip(control.options, names(control)) { #expect(name.contains(option.text)) }
        #expect(control.note == nil && control.label == "On")
    }

    @Test("Where an earlier provider wins, the control says so")
    func shadowed() throws {
        let entry = Samples.shadowed.entries[0]
        let control = try #require(FlagRow(entry, in: Samples.view(Samples.shadowed)).control)
        #expect(control.provider == nil && control.note == "team wins: on")
        #expect(
            names(control) == [
                "Not set, remove the value of local: still on, from team", "Set on in local: still on, from team",
                "Set off in local: still on, from team",
            ])
    }

    @Test("Where a later provider holds a value, that is what a reset comes to")
    func successor() throws {
        let providers = [
            FixedProvider(name: "local", values: ["on": .bool(false)]),
            FixedProvider(name: "team", values: ["on": .bool(true)]),
        ]
        let control = try #require(row(entry(in: providers), providers).control)
        #expect(control.options[0].meaning == "team: on, remove the value of local")
        #expect(control.options[0].text == "team: on")
    }

    @Test("A flag that only its value makes one has no default to go back to")
    func undefined() throws {
        let providers = [FixedProvider(name: "local", values: ["on": .bool(true)])]
        let control = try #require(row(entry(default: nil, in: providers, isDefined: false), providers).control)
        #expect(names(control) == ["On", "Off"])
    }

    @Test("What may not be changed has no control, and says what it is")
    func fixed() throws {
        let locked = Samples.entry("on", .bool, metadata: FlagMetadata(isLocked: true))
        #expect(row(locked).control == nil && row(locked).value?.plain == "no value")
        #expect(row(locked).marks.map(\.label) == ["Locked"])
        let plain = Samples.entry("on", .bool)
        #expect(row(plain, by: .viewer).control == nil)
        #expect(row(plain, [FixedProvider(name: "local", isWritable: false)]).control == nil)
        #expect(row(Samples.entry("n", .integer)).control == nil)
        #expect(row(plain).control != nil && row(plain).value == nil)
    }

    @Test("A flag that needs a restart is changed in its open row, which asks about that")
    func restart() throws {
        let row = row(Samples.entry("on", .bool, metadata: FlagMetadata(requiresRestart: true)))
        #expect(row.control == nil && row.value?.plain == "no value" && row.openHref == "/?open=on#row")
        #expect(row.marks.map(\.label) == ["Restart"])
    }
}
