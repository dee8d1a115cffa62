import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("The form that defines a flag")
struct DefinitionFormTests {
    private static let demonstration = Samples.templates.deletingLastPathComponent()
        .appending(path: "Demo/flags.manifest.xml")

    @Test("What the form is filled with says the very definition that it came from")
    func isLossless() throws {
        let manifest = try FlagManifest(source: Data(contentsOf: Self.demonstration))
        let odd = FlagDefinition(
            key: Samples.key("odd"), type: .string, defaultValue: .string(""),
            constraints: FlagConstraints(pattern: ".*"),
            metadata: FlagMetadata(
                name: "  a \"b\"", description: "one\r\ntwo\r\n", order: -3, uiIcon: "star", tags: ["a, b", "c"],
                expires: Date(timeIntervalSince1970: 1_800_000_000), userInfo: ["x": .integer(1)], retired: "old"))
        let oddChoices = FlagDefinition(
            key: Samples.key("oddChoices"), type: .choice, defaultValue: .string("a"),
            constraints: FlagConstraints(
                choices: [.string(""), .string("a"), .string("two\nlines"), .integer(2), .string(" ")]))
        let byte = FlagSchema(type: .integer, constraints: FlagConstraints(format: .uint8))
        let bytes = FlagDefinition(
            key: Samples.key("bytes"), type: .array, constraints: FlagConstraints(items: byte), isOptional: true)
        let layout = FlagDefinition(
            key: Samples.key("layout"), type: .json,
            constraints: FlagConstraints(properties: ["columns": byte, "more": FlagSchema(type: nil)]))
        let small = FlagDefinition(
            key: Samples.key("small"), type: .integer, constraints: FlagConstraints(maximum: 5, format: .int8))
        for definition in manifest.definitions + [odd, oddChoices, bytes, layout, small] {
            var form = DefinitionForm(definition)
            let read = form.definition(of: definition.key, basedOn: definition)
            #expect(read == definition, "\(definition.key)")
            #expect(form.problems.isEmpty)
        }
        #expect(manifest.definitions.count > 20)
    }

    @Test("The style sheet shows, by name, just what a type's option names")
    func styleNamesDetails() throws {
        let style = try String(
            contentsOf: Samples.templates.deletingLastPathComponent().appending(
                path: "Public/Definition/definitions.css"),
            encoding: .utf8)
        let hidden = style.matches(of: /:not\(\[data-details~="(\w+)"\]\)\) \[data-detail="(\w+)"\]/)
        #expect(hidden.allSatisfy { $0.output.1 == $0.output.2 })
        let named = hidden.map { String($0.output.1) } + ["lineDefault"]
        #expect(named.sorted() == DefinitionForm.details.sorted())
        #expect(style.contains("[data-details~=\"lineDefault\"]:checked) textarea#field-default"))
    }

    @Test(
        "Each type has the fields that it uses",
        arguments: [
            (FlagType.bool, "booleanDefault"),
            (.integer, "default lineDefault furtherValues suggestions minimum maximum format"),
            (.double, "default lineDefault furtherValues suggestions minimum maximum format"),
            (.string, "default furtherValues emptyDefault suggestions pattern"),
            (.date, "default lineDefault furtherValues suggestions storage"),
            (.data, "default furtherValues suggestions"),
            (.url, "default lineDefault furtherValues suggestions pattern"),
            (.choice, "default lineDefault choices choiceKind"),
            (.array, "default furtherValues suggestions items"),
            (.dictionary, "default furtherValues suggestions items"),
            (.json, "default furtherValues suggestions storage items properties"),
        ])
    func details(type: FlagType, details: String) {
        #expect(DefinitionForm.details(of: type).joined(separator: " ") == details)
    }

    @Test("Each field that can't be read says so, and all of them at once")
    func tellsProblems() throws {
        let fields = try FormFields(
            "type=integer&default=x&minimum=low&maximum=1e999&order=first&expires=2027-02-30&tags=a,,a,%20b")
        var form = DefinitionForm(fields)
        let unreadable = form.definition(of: Samples.key("n"), basedOn: nil)
        #expect(unreadable == nil)
        #expect(Set(form.problems.keys) == ["default", "minimum", "maximum", "order", "expires"])
        var other = DefinitionForm(try FormFields("type=integer&tags=a,,a,%20b&isLocked=yes&expires=2027-02-28"))
        let read = other.definition(of: Samples.key("n"), basedOn: nil)
        let definition = try #require(read)
        #expect(definition.metadata.tags == ["a", "b"] && definition.metadata.isLocked)
        #expect(definition.defaultValue == nil)
        #expect(definition.metadata.expires == Date(timeIntervalSince1970: 1_803_772_800))
        var none = DefinitionForm(try FormFields("type=flag"))
        let untyped = none.definition(of: Samples.key("n"), basedOn: nil)
        #expect(untyped == nil && none.problems["type"] != nil)
    }

    @Test(
        "A constraint that the type has no use for, or that is none, is told beside it and there alone",
        arguments: [
            ("type=integer&default=5&choices=1%0A2", "choices"), ("type=string&minimum=1", "minimum"),
            ("type=bool&maximum=1&default=true", "maximum"), ("type=integer&pattern=a&default=5", "pattern"),
            ("type=integer&default=5&minimum=10&maximum=1", "minimum"), ("type=string&pattern=(&default=x", "pattern"),
        ])
    func tellsConstraints(fields: String, wrong: String) throws {
        var form = DefinitionForm(try FormFields(fields))
        let read = form.definition(of: Samples.key("n"), basedOn: nil)
        #expect(read == nil && Array(form.problems.keys) == [wrong])
    }

    @Test("What the code said of one type is dropped with the type, and a person's own is read or told")
    func schemas() throws {
        let byte = FlagSchema(type: .integer, constraints: FlagConstraints(format: .uint8))
        let bytes = FlagDefinition(key: Samples.key("n"), type: .array, constraints: FlagConstraints(items: byte))
        func read(_ fields: String, on base: FlagDefinition?) throws -> (FlagConstraints?, [String: String]) {
            var form = DefinitionForm(try FormFields(fields))
            return (form.definition(of: Samples.key("n"), basedOn: base)?.constraints, form.problems)
        }
        let items = "%7B%22format%22:%22uint8%22,%22type%22:%22integer%22%7D"
        #expect(try read("type=array&items=\(items)", on: bytes) == (bytes.constraints, [:]))
        #expect(try read("type=string&items=\(items)", on: bytes) == (FlagConstraints(), [:]))
        #expect(try read("type=array&items=", on: bytes) == (FlagConstraints(), [:]))
        #expect(try read("type=array&items=\(items)", on: nil) == (bytes.constraints, [:]))
        #expect(try read("type=integer&format=int8&default=1", on: nil).0 == FlagConstraints(format: .int8))
        for (fields, wrong) in [
            ("type=array&items=%7B", "items"), ("type=array&items=%7B%22type%22:%22byte%22%7D", "items"),
            ("type=json&properties=%5B%5D", "properties"), ("type=string&properties=%7B%7D", "properties"),
            ("type=double&format=int8", "format"), ("type=string&format=int8", "format"),
            ("type=integer&format=int8&default=128", "default"),
        ] {
            let problems = try read(fields, on: nil).1
            #expect(Array(problems.keys) == [wrong], "\(fields): \(problems)")
        }
    }

    @Test("Of two limits that contradict each other, the one that was typed is wrong")
    func tellsTypedLimit() throws {
        var base = FlagDefinition(key: Samples.key("n"), type: .integer)
        base.constraints.minimum = FlagLimit(2)
        base.constraints.maximum = FlagLimit(8)
        for (fields, wrong) in [("minimum=2&maximum=1", "maximum"), ("minimum=9&maximum=8", "minimum")] {
            var form = DefinitionForm(try FormFields("type=integer&\(fields)"))
            let read = form.definition(of: Samples.key("n"), basedOn: base)
            #expect(read == nil && Array(form.problems.keys) == [wrong])
        }
    }

    @Test("A Boolean's default is off or on, or none, and that of another type is what was typed")
    func booleanDefault() throws {
        func read(_ fields: String) throws -> FlagValue?? {
            var form = DefinitionForm(try FormFields(fields))
            return form.definition(of: Samples.key("n"), basedOn: nil).map(\.defaultValue)
        }
        #expect(try read("type=bool&booleanDefault=false") == .some(.some(.bool(false))))
        #expect(try read("type=bool&booleanDefault=true&default=") == .some(.some(.bool(true))))
        #expect(try read("type=bool&booleanDefault=") == .some(.none))
        #expect(try read("type=bool&default=true") == .some(.some(.bool(true))))
        #expect(try read("type=integer&booleanDefault=true&default=5") == .some(.some(.integer(5))))
        let stored = DefinitionForm(FlagDefinition(key: Samples.key("n"), type: .bool, defaultValue: .bool(true)))
        #expect(stored["booleanDefault"] == "true" && stored["default"].isEmpty)
    }

    @Test("Choices are texts or whole numbers, as the form says")
    func choiceKinds() throws {
        func read(_ fields: String, on base: FlagDefinition? = nil) throws -> (choices: [FlagValue]?, problem: String?)
        {
            var form = DefinitionForm(try FormFields(fields))
            let definition = form.definition(of: Samples.key("n"), basedOn: base)
            return (definition?.constraints.choices, form.problems["choices"])
        }
        #expect(try read("type=choice&choices=10%0A-25&choiceKind=integer").choices == [.integer(10), .integer(-25)])
        #expect(try read("type=choice&choices=10%0A25&choiceKind=string").choices == [.string("10"), .string("25")])
        #expect(
            try read("type=choice&choices=10%0Amany&choiceKind=integer").problem
                == "“many” isn’t a whole number, or is too large.")
        let base = FlagDefinition(
            key: Samples.key("n"), type: .choice, constraints: FlagConstraints(choices: [.integer(10), .integer(25)]))
        #expect(DefinitionForm(base)["choiceKind"] == "integer")
        #expect(try read("type=choice&choices=10%0A25%0A50&choiceKind=integer", on: base).choices?.count == 3)
        #expect(
            try read("type=choice&choices=10%0A25&choiceKind=string", on: base).choices == [
                .string("10"), .string("25"),
            ])
        #expect(try read("type=choice&choices=10%0A25", on: base).choices == base.constraints.choices)
    }

    @Test("A new flag asks for what it can't go without, and unfolds the rest where that is filled or wrong")
    func essentials() async throws {
        let fixture = try DashboardFixture("", flags: [], role: .admin)
        let page = try await fixture.get("/definitions/new?key=shop/fee&type=double&default=2.5").body
        #expect(page.contains("id=\"field-key\" name=\"key\" value=\"shop/fee\""))
        #expect(page.contains("required autofocus") && page.contains("<option value=\"double\" selected "))
        #expect(
            page.contains("name=\"default\" value=\"2.5\" inputmode=\"decimal\"")
                && page.contains("<details class=\"more-options\">"))
        #expect(page.contains("<input type=\"date\" id=\"field-expires\""))
        let on = try await fixture.get("/definitions/new?key=shop/on&type=bool&default=true").body
        #expect(on.contains("name=\"booleanDefault\" value=\"true\" checked"))
        for fields: KeyValuePairs in [
            ["key": "a", "type": "bool", "owner": "Ann", "order": "x"], ["key": "a", "type": "bool", "order": "x"],
        ] {
            let refused = try await fixture.post("/definitions/new", fields)
            #expect(refused.status == 422 && refused.body.contains("<details class=\"more-options\" open>"))
        }
        let wrongKey = try await fixture.post(
            "/definitions/new", ["key": "", "type": "bool", "booleanDefault": "false"])
        #expect(wrongKey.status == 422 && wrongKey.body.contains("<details class=\"more-options\">"))
        #expect(!wrongKey.body.contains("required autofocus"))
    }

    @Test("Suggestions are read line by line, as values of the type that the flag gets")
    func readsSuggestions() throws {
        let base = FlagDefinition(
            key: Samples.key("n"), type: .double, suggestions: [.double(1.95), .double(4)],
            constraints: FlagConstraints(maximum: FlagLimit(5)))
        func read(_ fields: String) throws -> (suggestions: [FlagValue]?, problem: String?) {
            var form = DefinitionForm(try FormFields(fields))
            let definition = form.definition(of: base.key, basedOn: base)
            #expect((definition == nil) == (form.problems["suggestions"] != nil))
            return (definition?.suggestions, form.problems["suggestions"])
        }
        #expect(
            try read("type=double&maximum=5&suggestions=1.95%0A%0A2.5").suggestions == [.double(1.95), .double(2.5)])
        #expect(try read("type=double&maximum=5&suggestions=").suggestions == [])
        #expect(try read("type=double&maximum=5&suggestions=9").problem == "9 is invalid: must be 5 or less.")
        #expect(try read("type=string&suggestions=1.95%0A4").suggestions == [.string("1.95"), .string("4")])
        #expect(try read("type=bool&suggestions=true").problem?.hasPrefix("A bool can't have suggestions") == true)
        // A program that knows nothing of the field leaves them, or loses those of another type.
        #expect(try read("type=double&maximum=5").suggestions == base.suggestions)
        #expect(try read("type=string").suggestions == [])
    }

    @Test(
        "A key path that can't be a new flag's says which flag is in the way",
        arguments: [
            ("shop/on", "Already used by On."),
            ("shop", "shop is a group. Add a name, for example shop/new_flag."),
            ("shop/on/more", "shop/on is a flag, not a group."), ("shop/off", nil),
        ] as [(String, String?)])
    func tellsObstacles(key: String, problem: String?) async throws {
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("shop/on", "bool")], role: .admin)
        let answer = try await fixture.post(
            "/definitions/new", ["key": key, "type": "bool", "order": problem == nil ? "" : "x"])
        #expect(answer.status == (problem == nil ? 303 : 422))
        guard let problem else { return }
        #expect(answer.body.contains(problem) && answer.body.contains("<a href=\"#field-key\">Key path</a>"))
        #expect(answer.body.contains("<a href=\"#field-order\">Order</a>"))
    }

    @Test("An edit that travels in a form is the same one afterwards")
    func travels() throws {
        for definition in try FlagManifest(source: Data(contentsOf: Self.demonstration)).definitions {
            for action in [
                Change.Action.define(DefinitionEdit(definition)),
                .redefine(DefinitionEdit(definition, breaksValues: true)), .rename(Samples.key("a/b")), .retire("old"),
                .retire(nil), .remove(withValues: true),
            ] {
                let change = Change(key: definition.key, action: action, reason: "why")
                #expect(ProposedChanges.changes(in: try ProposedChanges.text(of: [change]), reason: "why") == [change])
            }
        }
    }

    @Test(
        "A definition's address is that of its flag, apart from key paths that have no address of their own",
        arguments: [
            ("checkout/a b", "/definitions/checkout/a%20b"), ("new", "/definitions?key=new"),
            ("new/x", "/definitions/new/x"), ("../x", "/definitions?key=..%2Fx"),
        ])
    func addresses(key: String, address: String) throws {
        #expect(PageLink.definition(try #require(FlagKeyPath(text: key))) == address)
    }

    @Test("Beside a read-only provider that holds a value, the page says beforehand what can't be done")
    func readOnlyHolder() throws {
        let providers = [
            FixedProvider(name: "local", values: ["a": .bool(true)]),
            FixedProvider(name: "frozen", isWritable: false, values: ["a": .bool(false)]),
        ]
        let definition = FlagDefinition(key: try #require(FlagKeyPath(text: "a")), type: .bool)
        let stored = StoredDefinition(definition: definition, revision: FlagRevision(rawValue: "1"))
        func page(_ providers: [FixedProvider]) -> DefinitionPage {
            let entry = Samples.entry(definition, in: providers)
            let view = Samples.view(Samples.catalogue([entry], providers: providers))
            return DefinitionPage(
                frame: PageFrame(fileName: "flags.xml", providers: []), stored: stored, entry: entry, in: view)
        }
        let fixed = page(providers)
        #expect(
            fixed.rename?.isPossible == false
                && fixed.rename?.note.contains("it has a value in frozen, which can’t be changed here") == true)
        #expect(
            fixed.removal?.keepsValues == true
                && fixed.removal?.note.contains("Values in frozen can’t be deleted here") == true)
        let free = page([providers[0]])
        #expect(free.rename?.isPossible == true && free.removal?.keepsValues == false)
    }

    @Test("A flag looks forgotten when it is expired, or overridden and long unchanged, and its page says why")
    func marksStale() throws {
        let expired = Samples.entry(
            "a", .bool, metadata: FlagMetadata(expires: Samples.now.addingTimeInterval(-1)))
        let old = Samples.entry("b", .bool, stored: .bool(true))
        let retired = Samples.entry("c", .bool, metadata: FlagMetadata(retired: "unused"))
        var view = Samples.view(Samples.catalogue([expired, old, retired]))
        #expect(!view.isStale(old) && view.isStale(expired) && !view.isStale(retired))
        view.unchanged = [old.key: Samples.now.addingTimeInterval(-181 * 86_400)]
        #expect(FlagMark.marks(of: old, in: view).map(\.name) == ["stale"])
        #expect(FlagMark.marks(of: expired, in: view).map(\.name) == ["expired"])
        #expect(FlagMark.marks(of: retired, in: view).map(\.name) == ["retired"])
        #expect(FlagFact.facts(of: old, in: view).contains { $0.label == "Stale" && $0.text.contains("180 days") })
        let listed = FlagFilter(marks: [.stale]).entries(of: view)
        #expect(listed.map(\.key.text) == ["a", "b"])
    }
}
