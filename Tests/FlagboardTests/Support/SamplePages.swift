import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import FlagReferences
@testable import Flagboard

extension Samples {
    /// A page of every template, between them with every property filled.
    static let pages: [any PageModel] = {
        let catalogue = everything
        let status = ServiceStatus(
            notices: [PageNotice("error", "flags.xml can’t be read:", "line 3, column 7: no end tag.")], block: nil,
            unreadable: ["local"], unwritable: [])
        let calm = frame(catalogue.providers)
        let forms: [FlagForm.Place] = [.value, .file, .reason, .form]
        let flagPages = forms.flatMap { place in
            catalogue.entries.map {
                FlagPage(
                    frame: calm, entry: $0, view: view(), provider: "local",
                    form: FlagForm(
                        value: "typed", reason: "why", provider: place == .form ? "remote" : "local",
                        problem: "\"typed\" is not valid", place: place),
                    past: FlagHistorySummary(page: historyPage(41), steps: walk),
                    notice: SavedNotice(outcome: .set, provider: "local", record: history[1]))
            }
        }
        let conflict = FlagForm(
            value: "4", reason: "why", provider: "local", problem: "Somebody else changed this flag.", place: .form,
            conflict: FlagForm.Conflict(
                base: .init(value: .integer(3)), setBy: TimedText("set by ada ", now.addingTimeInterval(-120), now: now)
            ))
        let unwritten = FlagForm(
            value: "4", reason: "why", provider: "local", problem: "The disk is full.", place: .form)
        let teamUnwritable = ServiceStatus(notices: [], block: nil, unreadable: [], unwritable: ["team"])
        let emptyPage = HistoryPage(records: [], total: 0, hasNewer: false, hasOlder: false)
        let owned: [String: FlagValue] = ["type": .string("bool"), "owner": .string("web")]
        let fields = (1...6).map { ("field\($0)", FlagValue.integer($0)) }
        let redefinition = Samples.record(
            0, "ui/motd", .redefine, before: .dictionary(owned),
            after: .dictionary(Dictionary(uniqueKeysWithValues: fields)), provider: nil, batch: UUID())
        let ofOneField = Samples.record(
            0, "ui/motd", .redefine, before: .dictionary(owned),
            after: .dictionary(["type": .string("bool"), "owner": .string("app")]), provider: nil, batch: UUID())
        let fullPage = HistoryPage(
            records: history + [
                record(0, "ui/motd", before: .string("x"), batch: UUID(), isAltered: true), redefinition, ofOneField,
            ], total: 90,
            hasNewer: true, hasOlder: true, lookedUpTo: 1)
        let rest: [any PageModel] = [
            FlagListPage(
                frame: frame(catalogue.providers, status: status), view: view(everything, status),
                filter: FlagFilter()),
            FlagListPage(
                frame: calm, view: view(), filter: FlagFilter(),
                saved: ReturnToList.Saved(key: key("checkout/new_flow"), notice: changed)),
            FlagListPage(
                frame: calm, view: view(), filter: FlagFilter(query: ["group": "ui"]),
                saved: ReturnToList.Saved(key: key("checkout/new_flow"), notice: changed)),
            FlagListPage(frame: calm, view: view(shadowed), filter: FlagFilter()),
            columned,
            FlagListPage(
                frame: calm, view: view(Samples.catalogue([organised])), filter: FlagFilter(query: ["q": "scroll"])),
            FlagListPage(frame: rememberingFrame, view: rememberingView, filter: FlagFilter(), searches: searches),
            FlagListPage(frame: calm, view: view(ofTwo, teamUnwritable), filter: FlagFilter()),
            FlagListPage(
                frame: calm, view: view(),
                filter: FlagFilter(query: ["q": "nothing has this", "group": "ui", "state": "odd"])),
            FlagListPage(frame: calm, view: view(by: .admin), filter: FlagFilter(query: ["group": "ui"])),
            FlagListPage(frame: calm, view: view(by: .viewer), filter: FlagFilter()),
            FlagListPage(frame: calm, view: view(Samples.catalogue([])), filter: FlagFilter()),
            FlagListPage(frame: calm, view: view(), filter: FlagFilter(query: ["tag": "beta", "state": "off"])),
            FlagListPage(
                frame: calm, view: view(), filter: FlagFilter(sort: .changed),
                lastChanges: [key("ui/motd"): LastChange(id: 5, at: now.addingTimeInterval(-60), actor: "ada")]),
            FlagListPage(
                frame: calm, view: view(Samples.catalogue((0...20).map { entry("g\($0)/f", .bool) })),
                filter: FlagFilter()),
            FlagListPage(
                frame: calm, view: view(Samples.catalogue((0...1000).map { entry("f\($0)", .bool) }), by: .admin),
                filter: FlagFilter(query: ["page": "3"])),
            FlagListPage(
                frame: calm, view: view(Samples.catalogue((0...1000).map { entry("f\($0)", .bool) }), by: .admin),
                filter: FlagFilter(query: ["page": "3"]), refused: refused(.tag)),
            FlagListPage(frame: calm, view: view(by: .admin), filter: FlagFilter(), refused: refused(.flags)),
            FlagListPage(frame: calm, view: view(by: .admin), filter: FlagFilter(), refused: refused(.action)),
            openRow("limits/retries", by: .editor, records: history, form: conflict),
            openRow("ui/motd", by: .editor, records: history),
            openRow("ui/theme", by: .viewer, records: [], form: unwritten),
            openRow("checkout/payments/refunds", by: .admin, records: []), merged(by: .editor), merged(by: .viewer),
            openRow("checkout/new_flow", by: .editor, records: history),
            FlagPage(frame: calm, entry: catalogue.entries[0], view: view()),
            FlagPage(
                frame: calm, entry: catalogue.entries[0], view: view(),
                uses: FlagUses(
                    of: catalogue.entries[0].key, findings(of: catalogue.entries[0].key),
                    code: ["A.swift": SourceLines("let a = 1\nlet <b> = 2")])),
            FlagPage(
                frame: calm, entry: catalogue.entries[0], view: view(),
                uses: FlagUses(of: catalogue.entries[0].key, nil)),
            FlagPage(
                frame: calm, entry: catalogue.entries[0], view: view(by: .admin),
                requests: TerminalRequests(address: address, file: "/app/flags.xml", usualProvider: { _ in "local" })),
            FlagPage(frame: calm, entry: catalogue.entries[0], view: view(), provider: "elsewhere"),
            FlagPage(frame: calm, entry: entry("n", .integer, stored: .integer(4)), view: view(), form: conflict),
            FlagPage(frame: calm, entry: entry("n", .integer, stored: .integer(4)), view: view(), form: unwritten),
            FlagPage(
                frame: calm, entry: entry("b", .bool, stored: .string("yes")),
                view: view(Samples.catalogue([]))),
            HelpPage(
                frame: PageFrame(
                    fileName: "flags.xml", providers: [], banner: EnvironmentBanner(text: "Production", colour: .red),
                    lastRow: 4, mark: StatusFingerprint([]),
                    note: FlashNote(
                        text: "Noted.", flag: "Count", undo: FlashNote.Undo(action: "/history/1/revert", back: "/"),
                        link: TextLink(label: "View change", href: "/history/1"),
                        reasonForm: ReasonForm(for: 1, of: 3, isForBatch: true, back: "/")))),
            SettingsPage(
                frame: PageFrame(
                    fileName: "flags.xml", providers: [], settings: chosen,
                    copies: PageCopies("/?q=a", at: address, file: "flags.xml")),
                settings: chosen, now: now),
            SearchesPage(
                frame: PageFrame(
                    fileName: "flags.xml", providers: [],
                    furtherPages: [TextLink(label: "Time machine", href: "/history/at")]),
                searches: [SavedSearch(name: "On", query: "state=on", actor: "ada", made: now)], mayChange: true,
                form: SearchForm(FlagFilter(text: "a"), name: "On", problem: "There is one.")),
            SearchesPage(frame: calm, searches: [], mayChange: false),
            SettingsPage(
                frame: calm, settings: ViewerSettings(), now: now, refusal: RefusedSettings(.theme)),
            SettingsPage(
                frame: calm, settings: ViewerSettings(), now: now, refusal: RefusedSettings(.zone)),
            HelpPage(
                frame: frame(status: status).adding(PageNotice("info", "Internal flags are shown.", "All of them."))),
            APIPage(frame: calm, address: address, subjects: APISubjects(catalogue, lastRow: 4)),
            HistoryListPage(
                frame: calm, page: fullPage, filter: HistoryFilter(query: [:]), summary: summary, now: now,
                view: view(by: .admin),
                followers: [
                    FollowerLag(
                        name: "etcd://etcd.example.org:2379/flags", behind: 3,
                        problem: ServiceProblem(text: "no response", since: now)),
                    FollowerLag(name: "etcd://other:2379/flags", behind: 0, problem: nil),
                ]),
            HistoryListPage(frame: calm, page: emptyPage, filter: HistoryFilter(query: ["key": "ui"]), now: now),
            HistoryListPage(
                frame: calm,
                page: HistoryPage(
                    records: [2, 1].map { Samples.record($0, "ui/theme", .denied) }, total: 2, hasNewer: false,
                    hasOlder: false),
                filter: HistoryFilter(query: [:]), now: now),
            PageZone.$current.withValue(berlin) {
                HistoryListPage(frame: calm, page: emptyPage, filter: HistoryFilter(query: [:]), now: now)
            },
            HistoryListPage(
                frame: calm,
                page: HistoryPage(
                    records: [
                        record(2, "b", .define, after: .dictionary(owned), provider: nil),
                        record(1, "a", .remove, before: .dictionary(owned), provider: nil),
                    ], total: 2, hasNewer: false, hasOlder: false), filter: HistoryFilter(query: [:]), now: now),
            HistoryListPage(
                frame: calm, page: fullPage, filter: HistoryFilter(query: ["batch": history[0].event.batch.uuidString]),
                now: now,
                revertAll: RevertAll(
                    HistoryBatchOutline(
                        records: [history[1]], sorts: [.init(kind: .set, hasType: true, count: 2)]), in: view())),
            HistoryListPage(
                frame: calm,
                page: HistoryPage(
                    records: [
                        record(2, "a", reason: "Sale", origin: .cli), record(1, "b", reason: "Sale", origin: .cli),
                    ], total: 2, hasNewer: false, hasOlder: false), filter: HistoryFilter(query: [:]), now: now),
            HistoryListPage(
                frame: calm,
                page: HistoryPage(
                    records: (1...5).reversed().map { record(Int64($0), "flag\($0)", .set, after: .bool(true)) },
                    total: 5, hasNewer: false, hasOlder: false), filter: HistoryFilter(query: [:]), now: now),
            HistoryListPage(frame: calm, page: nil, filter: HistoryFilter(query: ["from": "soon"]), now: now),
            HistoryListPage(
                frame: calm,
                page: HistoryPage(
                    records: [record(4, "a", batch: UUID()), record(3, "b", batch: UUID())], total: 2, hasNewer: false,
                    hasOlder: false), filter: HistoryFilter(query: ["since": "2"]), now: now,
                view: rememberingView),
            ChangePage(
                frame: calm, record: history[0],
                batch: HistoryBatchOutline(
                    records: history, sorts: [.init(kind: .set, hasType: true, count: 2)]),
                view: view()),
            ChangePage(
                frame: calm,
                record: record(
                    8, "ui/motd", before: .string("One fine day"), after: .string("One day, late"), isAltered: true),
                view: view(by: .viewer),
                requests: TerminalRequests(address: address, file: nil, usualProvider: { _ in nil })),
            ChangePage(
                frame: calm,
                record: record(10, "ui/motd", .lock, after: .dictionary(["isLocked": .bool(true)]), provider: nil),
                view: view()),
            ChangePage(
                frame: calm, record: record(9, "ui/layout", before: bigLayout(0), after: bigLayout(1)), view: view(),
                later: history[0]),
            ExportPage(
                frame: calm,
                links: [.values.missing(because: "It is broken."), .effective, .manifest, .historyCSV, .historyJSONL]),
            ErrorPage(
                frame: calm, text: ErrorText(status: 404, title: "Renamed", message: "m", remedy: "r"),
                next: TextLink(label: "ui/theme", href: "/flags/ui/theme")),
            ErrorPage(
                frame: calm,
                text: ErrorText(
                    status: 503, title: "Currently unavailable", message: "The history is busy.", remedy: "Try again.",
                    typed: TypedValue.all(value: "12", reason: "why")),
                flag: key("ui/theme")),
            BareErrorPage(
                text: ErrorText(status: 405, title: "Method not allowed", message: "No.", remedy: "Use the links."),
                settings: chosen),
            BareErrorPage(
                text: ErrorText(
                    status: 421, title: "Wrong host", message: "There is no such host.", remedy: "Go elsewhere."),
                settings: ViewerSettings()),
        ]
        let sourcePages: [any PageModel] = [1, 2].compactMap { line in
            SourcePage(
                frame: calm, file: "A.swift", line: line,
                source: SourceLines(
                    "let a = 1\nlet <b> = 2", hidden: line == 1 ? HiddenLines() : HiddenLines([1...1], ["c"])),
                flags: [catalogue.entries[0].key: [line]])
        }
        return flagPages + rest + sourcePages + accessPages + webhookPages + batchPages + importPages + comparePages
            + environmentPages + pastPages + revertPages + reasonPages
            + definitionPages + guardedPages
    }()

    /// The pages of imports and exports in all their states.
    private static let importPages: [any PageModel] = [
        ImportPage(frame: frame(), view: view(by: .admin), problem: "It is odd.", notes: ["1 value."]),
        ImportPage(frame: frame(), view: view(by: .editor)),
        ExportPage(
            frame: frame(), search: ExportSearch(FlagFilter(text: "ui"), in: view()), links: [.values, .effective]),
    ]

    /// The page of several changes, with something to make and without.
    private static let batchPages: [any PageModel] = {
        let changes = [Change(key: key("ui/theme"), action: .reset), Change(key: key("nowhere"), action: .lock)]
        let allowed = ChangePreview(change: changes[0], provider: "local", before: .string("dark"), after: nil)
        let refused = ChangePreview(
            change: changes[1], provider: nil, before: nil, after: nil, refusal: .unknown(key("nowhere")))
        var proposal = BatchProposal(
            title: "Many", changes: changes, origin: .form, back: "/", notes: ["They were chosen by hand."],
            links: [TextLink(label: "Look at change 4", href: "/history/4")],
            reason: "why")
        let unknown = ChangePreview(
            change: Change(key: key("nowhere/new"), action: .setValue(.integer(4)), provider: "local"),
            provider: "local",
            before: nil, after: nil, refusal: .unknown(key("nowhere/new")))
        proposal.leftOut = [unknown] + Array(repeating: refused, count: 200)
        proposal.stale = [key("ui/theme")]
        proposal.request = "kept"
        let wallet = Change(key: key("checkout/payments/wallet"), action: .reset)
        let waiting = ChangePreview(change: wallet, provider: "local", before: .bool(false), after: nil)
        let theme = FlagDefinition(key: key("ui/theme"), type: .string)
        let redefined = ChangePreview(
            change: Change(key: key("ui/theme"), action: .redefine(DefinitionEdit(theme))), provider: nil,
            before: .dictionary(["type": .string("string"), "owner": .string("ann"), "name": .string("A")]),
            after: .dictionary(["type": .string("string"), "order": .integer(1), "name": .string("B")]))
        return [[allowed, waiting, redefined, refused], [refused]].map { previews in
            do {
                return try BatchPage(
                    frame: frame(), proposal: proposal, previews: previews, view: view(by: .admin),
                    isRefused: previews.count == 1
                ) { _ in "a5" }
            } catch {
                fatalError("\(error)")
            }
        }
    }()

    /// What a viewer may have chosen.
    private static let chosen: ViewerSettings = {
        var settings = ViewerSettings()
        (settings.theme, settings.density, settings.zone) = (.dark, .compact, "Europe/Berlin")
        return settings
    }()

    /// The newest changes of a flag.
    static func historyPage(_ total: Int) -> HistoryPage {
        HistoryPage(records: history, total: total, hasNewer: false, hasOlder: true)
    }

    /// More changes than are drawn one by one, or listed.
    private static let address = CurlLine.Address(base: "http://localhost:8080", needsToken: true)

    private static let walk = ValueSteps(
        steps: (0..<60).map {
            ValueSteps.Step(
                id: 60 - $0, at: now.addingTimeInterval(-3600 * Double($0)), provider: "local",
                before: .integer(Int128($0 + 1)), after: .integer(Int128($0)))
        }, rowCount: 61, cutOff: now.addingTimeInterval(-86_400 * 3))

    /// A time zone that is no UTC.
    static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    static let summary = HistorySummary(
        quarters: (0..<40).map {
            .init(start: now.addingTimeInterval(-86_400 * Double($0)), count: $0 + 1, outside: $0 % 2)
        },
        actors: [.init(name: "ada", count: 3), .init(name: "outside", count: 1)], count: 900, isComplete: false)

    /// More entries than a page tells of.
    private static func bigLayout(_ number: Int) -> FlagValue {
        .dictionary(Dictionary(uniqueKeysWithValues: (0..<201).map { ("e\($0)", .integer(Int128($0 + number))) }))
    }

    /// A form about selected flags that has to be corrected.
    private static func refused(_ place: SelectionRequest.Place) -> RefusedSelection {
        let fields = FormFields(["action": "tag", "value": "v", "tag": "beta", "provider": "local"])
        return RefusedSelection(
            form: SelectionRequest(keys: ["f1", "ui/motd"], fields), problem: FormError("Enter a tag.", at: place))
    }

    /// What is said after a change that can be undone.
    static let changed = SavedNotice(outcome: .set, provider: "local", record: history[1])

    /// A Boolean of a provider that can be written, below one that can't and holds a value.
    static let ofTwo: FlagCatalogue = {
        let providers = [FixedProvider(name: "team"), FixedProvider(name: "local", values: ["on": .bool(true)])]
        let definition = FlagDefinition(key: key("on"), type: .bool, defaultValue: .bool(false))
        return catalogue([entry(definition, in: providers)], providers: providers)
    }()

    /// A Boolean that a provider which can't be written holds before the one that can.
    static let shadowed: FlagCatalogue = {
        let team = FixedProvider(name: "team", isWritable: false, values: ["on": .bool(true)])
        let providers = [team, FixedProvider(name: "local")]
        let definition = FlagDefinition(key: key("on"), type: .bool, defaultValue: .bool(false))
        return catalogue([entry(definition, in: providers)], providers: providers)
    }()

    /// The pages about who is let in.
    private static let accessPages: [any PageModel] = {
        let ada = Visitor(person: Dashboard.Person(name: "ada", role: .admin), proof: .session(2))
        let frame = PageFrame(fileName: "flags.xml", providers: [], visitor: ada)
        let digest = SecretDigest(of: "secret")
        let token = NamedToken(
            name: "bob", role: .viewer, created: now, expires: now.addingTimeInterval(-60), digest: digest)
        let session = Session(
            number: 2, grant: .launch(digest), started: now, lastSeen: now, address: "127.0.0.1")
        let refusedForms: [any PageModel] = [TokensFile.Field.role, .expires].map { field in
            AccessPage(
                frame: frame, tokens: [], sessions: [], hasLink: false,
                form: TokenForm(error: .refused("It can't be.", field)))
        }
        let unsent =
            ResumableForm(to: "/flags/count", body: "value=12&reason=why").map { form -> [any PageModel] in
                [
                    SignInPage(next: "/", hasLink: false, unsent: form),
                    ResumableFormPage(form, banner: EnvironmentBanner(text: "Test"), settings: chosen),
                ]
            } ?? []
        return refusedForms + [
            SignInPage(
                next: "/history", hasLink: true, problem: "Your session has ended.", continueHref: "/history",
                typed: TypedValue.all(value: "12", reason: "why"), banner: EnvironmentBanner(text: "Production"),
                settings: chosen),
            SignInPage(
                invited: ada.person, secret: "flagboard_x", next: "/", banner: EnvironmentBanner(text: "Test"),
                settings: chosen),
            ArrivalPage(href: "/"),
        ] + unsent + [
            AccessPage(
                frame: frame, tokens: [TokenRow(token, lastUse: now, since: now, isOwn: true, now: now)],
                tokensProblem: "It can't be read.",
                sessions: [SessionRow(session, ada.person, visitor: ada, now: now)], hasLink: true,
                form: TokenForm(name: "bob", error: .refused("There is one of that name.", .name)),
                notice: "It is over.",
                created: CreatedToken(
                    token, secret: "flagboard_x",
                    at: CurlLine.Address(base: "https://flags.example.com", needsToken: true))),
            AccessPage(open: frame),
        ]
    }()

    /// The pages that are inside the program: made once for all tests.
    static var pageSet: PageSet {
        get throws { try madePages.get() }
    }

    private static let madePages = Result { try PageSet(.built, below: .root) }

    /// The sources of the templates.
    static let templates = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Templates").standardizedFileURL
}

extension Samples {
    /// What is found in a file that has nothing but the key path of a flag.
    static func findings(of key: FlagKeyPath) -> SourceIndex.Findings {
        do {
            var facts = SourceFacts()
            facts.texts = [
                SourceFacts.Text(text: key.text, position: SourcePosition(line: 1, column: 9), lines: 1...1)
            ]
            return SourceIndex.Findings(
                references: try FlagReferences(["A.swift": facts], known: [key]), problems: [], count: 1, hashes: [:])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// A flag in groups that its key path doesn't name, of a name that a row cuts in its middle.
    private static var organised: FlagEntry {
        let definition = FlagDefinition(
            key: key("scroll"), type: .bool,
            metadata: FlagMetadata(name: "Scroll through the list without pages"), group: key("list/beta"))
        return entry(definition, in: [FixedProvider(name: "local")])
    }

    /// More saved searches than there are tabs for.
    private static let searches = (1...6).map {
        SavedSearch(name: "Search \($0)", query: "q=\($0)", actor: "ada", made: now)
    }

    /// The list with all columns that there are.
    private static var columned: FlagListPage {
        var view = view()
        view.settings.columns = ListColumn.allCases.map(\.rawValue)
        return FlagListPage(
            frame: frame(everything.providers), view: view, filter: FlagFilter(sort: .owner),
            lastChanges: [key("ui/motd"): LastChange(id: 5, at: now.addingTimeInterval(-60), actor: "ada")])
    }

    /// The list with the row of a flag open.
    private static func openRow(
        _ key: String, by role: ChangeAuthor.Role, records: [HistoryRecord], form: FlagForm? = nil
    ) -> FlagListPage {
        let view = view(by: role)
        let filter = FlagFilter().opening(self.key(key))
        let opened = everything[self.key(key)].map {
            OpenedRow($0, in: view, filter, records: records, form: form)
        }
        return FlagListPage(frame: frame(everything.providers), view: view, filter: filter, opened: opened)
    }
}
