import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("Page of a flag")
struct FlagPageTests {
    private func page(
        _ key: String, provider: String? = nil, suggestion: String? = nil, form: FlagForm? = nil
    ) throws -> FlagPage {
        let catalogue = Samples.everything
        return FlagPage(
            frame: Samples.frame(catalogue.providers), entry: try #require(catalogue[Samples.key(key)]),
            view: Samples.view(), provider: provider, suggestion: suggestion, form: form)
    }

    @Test("The readings say who wins, who is passed over, and that the default comes last")
    func readings() throws {
        let page = try page("limits/retries")
        #expect(page.chain.readings.map(\.source) == ["overrides", "local", "default"])
        #expect(page.chain.readings.map(\.answer) == ["broken", "absent", "value"])
        #expect(page.chain.readings.map(\.isWinner) == [false, false, true])
        #expect(page.valueOrigin.plain == "Default · an invalid stored value is ignored")
    }

    @Test("A value that was renamed along has a row of its own only for a warning or a later reason")
    func renamedAlong() throws {
        func rows(isAltered: Bool = false, isNoted: Bool = false) -> [Int64] {
            let moved = Samples.record(1, "ui/theme", after: .string("x"), isAltered: isAltered)
            let removed = Samples.record(2, "ui/colours", .remove, provider: nil)
            let defined = Samples.record(3, "ui/theme", .define, provider: nil)
            let later = Samples.record(4, "ui/theme", .note, reason: "asked for")
            let past = FlagHistorySummary(
                page: HistoryPage(records: [defined, moved], total: 2, hasNewer: false, hasOlder: false),
                steps: ValueSteps(steps: [], rowCount: 0, cutOff: nil), notes: isNoted ? [1: [later]] : [:],
                renaming: Renaming(removed: removed, defined: defined))
            let page = FlagPage(
                frame: Samples.frame(), entry: Samples.entry("ui/theme", .string, stored: .string("x")),
                view: Samples.view(), past: past)
            #expect(page.history.first?.renamedFrom == "ui/colours")
            #expect(page.historyText == (page.history.count == 1 ? "1 change" : "2 changes"))
            return page.history.map(\.id)
        }
        #expect(rows() == [3])
        #expect(rows(isAltered: true) == [3, 1] && rows(isNoted: true) == [3, 1])
    }

    @Test("An app that reads another value is marked, whatever its type, and none where no value is known here")
    func differentInApp() {
        func marks(_ stored: FlagValue?, _ inApp: FlagValue?, default fallback: FlagValue? = nil) -> [String] {
            let definition = FlagDefinition(key: Samples.key("limit"), type: .integer, defaultValue: fallback)
            let providers = [
                FixedProvider(name: "local", values: stored.map { ["limit": $0] } ?? [:]),
                FixedProvider(
                    name: "shop", isAsked: false, connectedApp: "shop", values: inApp.map { ["limit": $0] } ?? [:]),
            ]
            let entry = Samples.entry(definition, in: providers)
            let view = Samples.view(Samples.catalogue([entry], providers: providers))
            let found = FoundFlags(FlagFilter(), in: view)
            let marks = FlagMark.marks(of: entry, in: view).map(\.label)
            #expect((found.marks[.differsInApp] ?? 0) == marks.count)
            return marks
        }
        #expect(marks(5, 7) == ["shop: 7"] && marks(nil, 7, default: 5) == ["shop: 7"])
        #expect(marks(5, .string("text")) == ["shop: \"text\""])
        #expect(marks(5, .string("a text that is longer")) == ["Different in shop"])
        #expect(marks(5, 5).isEmpty && marks(5, nil).isEmpty && marks(nil, 7).isEmpty)
    }

    @Test("A locked flag has no form and says where the lock is")
    func locked() throws {
        let page = try page("checkout/payments/refunds")
        #expect(page.editor == nil)
        #expect(page.refusal?.heading == "Locked")
    }

    @Test(
        "An admin locks a flag, or lifts its lock, where it has a definition; others don't",
        arguments: [
            ("limits/retries", .admin, "lock"), ("checkout/payments/refunds", .admin, "unlock"),
            ("left_over", .admin, nil), ("limits/retries", .editor, nil), ("limits/retries", nil, nil),
        ] as [(String, ChangeAuthor.Role?, String?)])
    func lock(key: String, role: ChangeAuthor.Role?, value: String?) throws {
        let entry = try #require(Samples.everything[Samples.key(key)])
        let page = FlagPage(frame: Samples.frame(), entry: entry, view: Samples.view(by: role))
        #expect(page.lock?.value == value)
        let blocked = ServiceStatus(notices: [], block: "You may only look.", unreadable: [], unwritable: [])
        let looking = FlagPage(
            frame: Samples.frame(), entry: entry, view: Samples.view(Samples.everything, blocked, by: role))
        #expect(looking.lock == nil)
    }

    @Test(
        "An admin duplicates a flag that has a definition; others don't",
        arguments: [
            ("limits/retries", .admin, "/definitions/new?from=limits%2Fretries"), ("left_over", .admin, nil),
            ("limits/retries", .editor, nil), ("limits/retries", nil, nil),
        ] as [(String, ChangeAuthor.Role?, String?)])
    func duplicate(key: String, role: ChangeAuthor.Role?, href: String?) throws {
        let entry = try #require(Samples.everything[Samples.key(key)])
        let page = FlagPage(frame: Samples.frame(), entry: entry, view: Samples.view(by: role))
        #expect(page.copyHref == href)
    }

    @Test("Without a writable provider, or read-only, there is no form and a reason")
    func notWritable() throws {
        let entry = Samples.entry("a", .bool, default: .bool(true))
        let readOnly = Samples.catalogue([entry], providers: [FixedProvider(name: "local", isWritable: false)])
        let page = FlagPage(frame: Samples.frame(), entry: entry, view: Samples.view(readOnly))
        #expect(page.editor == nil && page.refusal?.heading == "All providers are read-only")
        let status = ServiceStatus(notices: [], block: "You may only look.", unreadable: [], unwritable: [])
        let looking = FlagPage(
            frame: Samples.frame(), entry: entry, view: Samples.view(Samples.catalogue([entry]), status))
        #expect(looking.editor == nil && looking.refusal?.advice == "See the message at the top of the page.")
    }

    @Test("The form edits the provider that was chosen, with its revision, and offers the others")
    func providers() throws {
        let editor = try #require(try page("checkout/new_flow", provider: "local").editor)
        #expect(editor.provider == "local" && editor.revision == FlagRevision(of: .bool(false)).rawValue)
        #expect(editor.radios.map(\.isSelected) == [false, true])
        #expect(try #require(editor.shadowNote).hasPrefix("overrides overrides local"))
        #expect(try page("checkout/new_flow").editor?.shadowNote == nil)
        #expect(editor.otherProviders.map(\.href) == ["/flags/checkout/new_flow?provider=overrides"])
        #expect(try page("checkout/new_flow", provider: "nobody").editor?.provider == "overrides")
    }

    @Test("Reset says what the flag falls back to, and is off where nothing is overridden")
    func reset() throws {
        let overridden = try #require(try page("checkout/new_flow", provider: "overrides").editor)
        #expect(overridden.isResetPossible)
        #expect(overridden.resetNote == "Reset falls back to local (off).")
        let theme = try #require(try page("ui/theme").editor)
        #expect(theme.resetLabel == "Reset to default")
        let absent = try #require(try page("ui/theme", provider: "local").editor)
        #expect(!absent.isResetPossible && absent.resetNote == nil)
    }

    @Test("A broken value is said, and the editor starts from what is stored")
    func broken() throws {
        let editor = try #require(try page("limits/retries").editor)
        #expect(editor.line?.content == "many")
        #expect(try #require(editor.brokenNote).contains("Expected a whole number"))
        #expect(editor.describedBy == "value-broken value-hint")
        #expect(editor.isResetPossible)
    }

    @Test("A refused form comes back as it was typed, with the problem beside the field")
    func typed() throws {
        let form = FlagForm(value: " 7x", reason: "why <b>", provider: "local", revision: "old", problem: "no number")
        let editor = try #require(try page("limits/retries", form: form).editor)
        #expect(editor.provider == "local" && editor.revision == "old" && editor.reason == "why <b>")
        #expect(editor.line?.content == " 7x" && editor.valueProblem == "no number")
        #expect(editor.describedBy.hasPrefix("value-problem "))
    }

    @Test("Suggestions are listed, and each is a link to the form with it in the field, of the provider that is edited")
    func suggestions() throws {
        let page = try page("ui/motd", provider: "local")
        let fact = try #require(page.facts.first { $0.label == "Suggestions" })
        #expect(fact.text == "\u{2068}\"Hello\"\u{2069}, \u{2068}\"Two↵lines\"\u{2069}, \u{2068}\"\"\u{2069}")
        let editor = try #require(page.editor)
        #expect(editor.suggestions.map(\.label) == ["\"Hello\"", "\"Two↵lines\"", "\"\""])
        #expect(editor.suggestions[1].href == "/flags/ui/motd?provider=local&suggestion=2#editor-title")
        #expect(try self.page("ui/theme").editor?.suggestions == [])
        #expect(try self.page("ui/theme").facts.allSatisfy { $0.label != "Suggestions" })
    }

    @Test(
        "The form starts from the suggestion that was chosen, and a number that is none changes nothing",
        arguments: [("1", "Hello"), ("2", "Two\nlines"), ("3", ""), ("4", nil), ("0", nil), ("-1", nil), ("x", nil)]
            as [(String, String?)])
    func suggestion(number: String, text: String?) throws {
        let usual = try #require(try page("ui/motd", provider: "overrides").editor)
        let editor = try #require(try page("ui/motd", provider: "overrides", suggestion: number).editor)
        guard let text else {
            #expect(editor == usual)
            return
        }
        #expect(editor.area?.content == text)
        #expect(editor.revision == usual.revision)
        #expect(try #require(editor.startNote).contains("Save to use it."))
        #expect(editor.describedBy.contains("value-start"))
    }

    @Test("What was typed wins over a suggestion")
    func suggestionAndForm() throws {
        let form = FlagForm(value: "typed", reason: "", provider: "local", revision: "old", problem: "no")
        let editor = try #require(try page("ui/motd", suggestion: "1", form: form).editor)
        #expect(editor.area?.content == "typed" && editor.startNote == nil)
    }

    @Test("What is attached to a flag is shown by name, each value by its kind")
    func userInfo() throws {
        let page = try page("limits/big")
        #expect(page.userInfo.map(\.name) == ["screens", "since", "ticket"])
        #expect(page.userInfo.map(\.shown.plain) == ["[ \"list\", 2 ]", "2026-11-21 14:05:09 UTC", "\"SHOP-12\""])
        #expect(page.userInfo.map(\.shown.style) == ["json", "date", "text"])
        #expect(try self.page("ui/motd").userInfo.isEmpty)
        #expect(UserInfoEntry.entries(of: ["": 1, "a\u{202E}b": 2]).map(\.name) == ["(empty name)", "a⟨U+202E⟩b"])
    }

    @Test("Each type has the field that fits it")
    func fields() throws {
        func field(_ key: String) throws -> FlagEditor { try #require(try page(key, provider: "local").editor) }
        #expect(try field("ui/banner").line?.content == "" && field("ui/banner").line?.pattern == ".{0,80}")
        #expect(try field("ui/banner").startNote == nil)
        #expect(try field("limits/big").line?.inputMode == "numeric")
        #expect(try field("limits/ratio").hint == "Number from 0 to 1")
        #expect(try field("ui/theme").radios.map(\.value) == ["light", "dark", "system"])
        #expect(try field("ui/letters").options.count == 7)
        #expect(try field("blob").area?.content == Data(repeating: 7, count: 12).base64EncodedString())
        #expect(try field("left_over").area?.content.contains("\"a\": 1") == true)
        #expect(try field("ui/order").area?.content == "")
    }

    @Test("Restart and a missing definition are remarked")
    func remarks() throws {
        #expect(try page("checkout/payments/wallet").remarks.map(\.heading) == ["Requires restart"])
        #expect(try page("left_over").remarks.map(\.heading) == ["No definition"])
    }

    @Test("A flag that is past its expiry, or retired, says whose it is and what comes next")
    func endings() throws {
        func notices(_ metadata: FlagMetadata, by role: ChangeAuthor.Role?) -> [EndingNotice] {
            let entry = Samples.entry("a", .bool, metadata: metadata)
            return EndingNotice.notices(entry, in: Samples.view(Samples.catalogue([entry]), by: role))
        }
        let past = Date(timeIntervalSince1970: 1_795_132_800)
        let expired = try #require(notices(FlagMetadata(owner: "Ann", expires: past), by: .editor).first)
        #expect(expired.heading == "Expired" && expired.text == "on 2026-11-20 · Owner: Ann")
        #expect(expired.next == "Ask Ann to remove it or set a later expiry date." && expired.link == nil)
        let own = try #require(notices(FlagMetadata(expires: past), by: .admin).first)
        #expect(own.text.hasSuffix("No owner") && own.link?.href == "/definitions/a")
        #expect(own.next == "Remove it from your code, then delete it here. To keep it, set a later expiry date.")
        let retired = try #require(notices(FlagMetadata(retired: "free now"), by: nil).first)
        #expect(retired.heading == "Deprecated:" && retired.text == "free now · No owner")
        #expect(retired.next == "Ask an admin to remove it. Apps still read its value.")
        #expect(notices(FlagMetadata(expires: Samples.now.addingTimeInterval(1)), by: .admin).isEmpty)
    }

    @Test("A flag without a default has no value, and says so in one way")
    func noValue() throws {
        let page = try page("ui/order")
        #expect(page.states.map(\.label) == ["No value"] && page.effective.plain == "no value")
        #expect(page.valueOrigin.plain.hasPrefix("No provider has a value, and the flag has no default"))
        #expect(page.chain.readings.map(\.verdict) == ["Not set", "Not set", "No default"])
        #expect(page.facts.first { $0.label == "Default" }?.text == "None")
    }

    @Test("A flag whose value a provider holds is called overridden")
    func set() throws {
        #expect(try page("checkout/new_flow").states.map(\.label) == ["Overridden on"])
        #expect(try page("ui/theme").states.map(\.label) == ["Overridden"])
        #expect(try page("ui/banner").states.map(\.label) == ["Overridden"])
        #expect(try page("ui/letters").states.map(\.label) == ["Default"])
    }

    @Test("A colour has a swatch, and a picker that begins with it")
    func colour() throws {
        let entry = Samples.entry("a", .string, default: .string("#1A5FB4"), stored: .string("#00FF0080"))
        let page = Samples.page(entry, [])
        #expect(page.swatch == "#00FF0080")
        let editor = try #require(page.editor)
        #expect(editor.colour == "#00ff00" && editor.line?.content == "#00FF0080" && editor.area == nil)
        #expect(Colour("#12345") == nil && Colour("1a5fb4") == nil && Colour(.integer(1)) == nil)
        #expect(try self.page("ui/motd").editor?.colour == nil)
    }

    @Test("The name of the icon is told")
    func icon() {
        let entry = Samples.entry("a", .bool, metadata: FlagMetadata(uiIcon: "bell"))
        #expect(FlagFact.facts(of: entry, in: Samples.view()).first { $0.label == "Icon" }?.text == "bell")
    }

    @Test("A choice among whole numbers is edited by its choices")
    func wholeChoices() throws {
        let sizes = FlagConstraints(choices: [.integer(10), .integer(25)])
        let entry = Samples.entry("a", .choice, default: .integer(10), stored: .integer(25), constraints: sizes)
        let editor = try #require(Samples.page(entry, []).editor)
        #expect(editor.radios.map(\.label) == ["10", "25"] && editor.radios.map(\.isSelected) == [false, true])
    }

    @Test("The definition tells the day on which a flag should be gone, and its time where it has one")
    func expiry() throws {
        let facts = try page("checkout/new_flow").facts
        #expect(facts.first { $0.label == "Expires" }?.text == "2026-11-20 14:05:09 UTC")
        #expect(facts.allSatisfy { $0.label != "Stale" }, "the banner says that")
        let entry = Samples.entry(
            "a", .bool, metadata: FlagMetadata(expires: Date(timeIntervalSince1970: 1_795_132_800)))
        #expect(FlagFact.facts(of: entry, in: Samples.view()).contains { $0.text == "2026-11-20 (UTC)" })
    }
}
