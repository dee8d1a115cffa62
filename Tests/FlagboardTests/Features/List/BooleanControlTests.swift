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
        "One switch shows the state whatever its source, and a press sets the other",
        arguments: [
            (nil, true, "default", nil), (.bool(true), true, nil, "Reset to default: on"),
            (.bool(false), false, nil, "Reset to default: on"), (.string("yes"), true, nil, "Reset to default: on"),
            (.string("maybe"), true, nil, "Reset to default: on"),
        ] as [(FlagValue?, Bool, String?, String?)])
    func shows(stored: FlagValue?, isOn: Bool, tag: String?, reset: String?) throws {
        let control = try #require(row(Samples.entry("on", .bool, default: .bool(true), stored: stored)).control)
        #expect(control.options.map(\.text) == [isOn ? "On" : "Off"])
        #expect(control.options.map(\.action) == [isOn ? "off" : "on"])
        #expect(control.options.map(\.deed) == [isOn ? "Turn off" : "Turn on"])
        #expect(control.tag == tag && control.reset == reset)
        #expect(control.provider == nil && control.revision == FlagRevision(of: stored).rawValue)
    }

    @Test("A flag without a value has a button for each")
    func unset() throws {
        let control = try #require(row(entry(default: nil, in: [FixedProvider(name: "local")])).control)
        #expect(control.options.map(\.text) == ["Turn on", "Turn off"] && control.tag == "not set")
    }

    @Test("Where an earlier provider wins, a switch would change nothing, so there is none")
    func shadowed() throws {
        let row = FlagRow(Samples.shadowed.entries[0], in: Samples.view(Samples.shadowed))
        #expect(row.control == nil && row.value == nil && row.fixed?.text == "On" && row.fixed?.tag == nil)
    }

    @Test("Where a later provider holds a value, that is what a reset comes to")
    func successor() throws {
        let providers = [
            FixedProvider(name: "local", values: ["on": .bool(false)]),
            FixedProvider(name: "team", values: ["on": .bool(true)]),
        ]
        let control = try #require(row(entry(in: providers), providers).control)
        #expect(control.reset == "Reset to team: on")
    }

    @Test("A flag that only its value makes one has no default to go back to")
    func undefined() throws {
        let providers = [FixedProvider(name: "local", values: ["on": .bool(true)])]
        let control = try #require(row(entry(default: nil, in: providers, isDefined: false), providers).control)
        #expect(control.options.map(\.text) == ["On"] && control.reset == nil)
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

    @Test(
        "What has a value looks like a switch all the same, and says where the value is from",
        arguments: [
            (true, nil, "On", "switch is-on", "default"), (false, nil, "Off", "switch", "default"),
            (false, true, "On", "switch is-on", nil), (true, false, "Off", "switch", nil),
        ] as [(Bool, Bool?, String, String, String?)])
    func looksLikeASwitch(usual: Bool, stored: Bool?, text: String, style: String, tag: String?) throws {
        func entry(_ metadata: FlagMetadata) -> FlagEntry {
            Samples.entry(
                "on", .bool, default: .bool(usual), stored: stored.map(FlagValue.bool), metadata: metadata)
        }
        for shown in [
            row(entry(FlagMetadata(isLocked: true))), row(entry(FlagMetadata(requiresRestart: true)), by: .editor),
            row(entry(FlagMetadata()), by: .viewer),
        ] {
            let fixed = try #require(shown.fixed)
            #expect(shown.control == nil && shown.value == nil)
            #expect(fixed.text == text && fixed.style == style && fixed.tag == tag)
        }
        #expect(row(entry(FlagMetadata()), by: .editor).fixed == nil)
    }

    @Test("A flag that needs a restart is changed in its open row, which asks about that")
    func restart() throws {
        let row = row(Samples.entry("on", .bool, metadata: FlagMetadata(requiresRestart: true)))
        #expect(row.control == nil && row.value?.plain == "no value" && row.openHref == "/?open=on#row")
        #expect(row.marks.map(\.label) == ["Restart"])
    }
}
