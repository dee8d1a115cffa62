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

    @Test(
        "The button of what the provider holds is pressed, and none where that is broken",
        arguments: [
            (nil, ["Default"]), (.bool(true), ["On"]), (.bool(false), ["Off"]), (.string("yes"), ["On"]),
            (.string("maybe"), []),
        ] as [(FlagValue?, [String])])
    func pressed(stored: FlagValue?, pressed: [String]) throws {
        let control = try #require(row(Samples.entry("on", .bool, default: .bool(true), stored: stored)).control)
        #expect(control.options.filter(\.isPressed).map(\.text) == pressed)
        #expect(control.provider == "local" && control.revision == FlagRevision(of: stored).rawValue)
        #expect(control.options.map(\.action) == ["reset", "on", "off"])
    }

    @Test(
        "Each button says what it does and what the flag is then",
        arguments: [
            (.bool(false), "Reset to the default: off"), (.bool(true), "Reset to the default: on"),
            (nil, "Default, remove the value: no value"),
        ] as [(FlagValue?, String)])
    func meanings(fallback: FlagValue?, reset: String) throws {
        let control = try #require(row(entry(default: fallback, in: [FixedProvider(name: "local")])).control)
        #expect(control.options.map(\.meaning) == [reset, "Set on: overridden on", "Set off: overridden off"])
        for option in control.options { #expect(option.meaning.lowercased().contains(option.text.lowercased())) }
        #expect(control.note == nil && control.label == "On in local")
    }

    @Test("Where an earlier provider wins, the control says so")
    func shadowed() throws {
        let entry = Samples.shadowed.entries[0]
        let control = try #require(FlagRow(entry, in: Samples.view(Samples.shadowed)).control)
        #expect(control.provider == "local" && control.note == "team wins over local")
        #expect(
            control.options.map(\.meaning) == [
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
        #expect(control.options[0].meaning == "Not set, remove the value of local: on, from team")
        #expect(control.options[0].text == "Not set")
    }

    @Test("A flag that only its value makes one has no default to go back to")
    func undefined() throws {
        let providers = [FixedProvider(name: "local", values: ["on": .bool(true)])]
        let control = try #require(row(entry(default: nil, in: providers, isDefined: false), providers).control)
        #expect(control.options.map(\.meaning) == ["Set on: on", "Set off: off"])
    }

    @Test("What may not be changed has no control, and a locked flag says so")
    func fixed() throws {
        let locked = Samples.entry("on", .bool, metadata: FlagMetadata(isLocked: true))
        #expect(row(locked).control == nil && row(locked).fixedNote == "This flag is locked")
        let plain = Samples.entry("on", .bool)
        #expect(row(plain, by: .viewer).control == nil)
        #expect(row(plain, [FixedProvider(name: "local", isWritable: false)]).control == nil)
        #expect(row(Samples.entry("n", .integer)).fixedNote == nil && row(Samples.entry("n", .integer)).control == nil)
    }

    @Test("A flag that needs a restart is changed on its page, which says so")
    func restart() throws {
        let row = row(Samples.entry("on", .bool, metadata: FlagMetadata(requiresRestart: true)))
        #expect(row.control == nil && row.changeLabel == "Change on its page: takes effect after a restart")
        let locked = self.row(Samples.entry("on", .bool, metadata: FlagMetadata(isLocked: true, requiresRestart: true)))
        #expect(locked.changeLabel == nil && locked.fixedNote != nil)
    }
}
