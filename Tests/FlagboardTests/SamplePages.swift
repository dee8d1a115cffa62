import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

extension Samples {
    /// A page of every template, between them with every property filled.
    static let pages: [any PageModel] = {
        let catalogue = everything
        let standing = Standing(
            notices: [PageNotice("error", "flags.xml can’t be read:", "line 3, column 7: no end tag.")], block: nil,
            unreadable: ["local"], unwritable: [])
        let calm = frame(catalogue.providers)
        let forms: [FlagForm.Place] = [.value, .reason, .form]
        let flagPages = forms.flatMap { place in
            catalogue.entries.map {
                FlagPage(
                    frame: calm, entry: $0, view: view(), provider: "local",
                    form: FlagForm(
                        value: "typed", reason: "why", provider: place == .form ? "remote" : "local",
                        problem: "\"typed\" is not valid", place: place),
                    history: history, historyTotal: 41,
                    notice: SavedNotice(outcome: .set, provider: "local", record: history[1]))
            }
        }
        let conflict = FlagForm(
            value: "4", reason: "why", provider: "local", problem: "Somebody else changed this flag.", place: .form,
            conflict: FlagForm.Conflict(base: .init(value: .integer(3)), setBy: "set by ada 2 minutes ago"))
        let emptyPage = HistoryPage(records: [], total: 0, hasNewer: false, hasOlder: false)
        let fullPage = HistoryPage(records: history, total: 90, hasNewer: true, hasOlder: true)
        let rest: [any PageModel] = [
            FlagListPage(
                frame: frame(catalogue.providers, standing: standing), view: view(everything, standing),
                filter: FlagFilter()),
            FlagListPage(
                frame: calm, view: view(), filter: FlagFilter(),
                saved: ListPlace.Saved(key: key("checkout/new_flow"), notice: changed)),
            FlagListPage(
                frame: calm, view: view(), filter: FlagFilter(query: ["group": "ui"]),
                saved: ListPlace.Saved(key: key("checkout/new_flow"), notice: changed)),
            FlagListPage(frame: calm, view: view(shadowed), filter: FlagFilter()),
            FlagListPage(
                frame: calm, view: view(),
                filter: FlagFilter(query: ["q": "nothing has this", "group": "ui", "state": "odd"])),
            FlagListPage(frame: calm, view: view(), filter: FlagFilter(query: ["group": "ui"])),
            FlagListPage(
                frame: calm, view: view(Samples.catalogue((0...1000).map { entry("f\($0)", .bool) })),
                filter: FlagFilter(query: ["page": "2"])),
            FlagPage(frame: calm, entry: catalogue.entries[0], view: view()),
            FlagPage(frame: calm, entry: catalogue.entries[0], view: view(by: .admin)),
            FlagPage(frame: calm, entry: catalogue.entries[0], view: view(), provider: "elsewhere"),
            FlagPage(frame: calm, entry: entry("n", .integer, stored: .integer(4)), view: view(), form: conflict),
            FlagPage(
                frame: calm, entry: entry("b", .bool, stored: .string("yes")),
                view: view(Samples.catalogue([]))),
            HistoryListPage(frame: calm, page: fullPage, filter: HistoryFilter(query: [:])),
            HistoryListPage(frame: calm, page: emptyPage, filter: HistoryFilter(query: ["key": "ui"])),
            HistoryListPage(frame: calm, page: nil, filter: HistoryFilter(query: ["from": "soon"])),
            ChangePage(frame: calm, record: history[0], batch: history),
            ExportPage(
                frame: calm,
                links: [.values.missing(because: "It is broken."), .effective, .manifest, .historyCSV, .historyJSONL]),
            RefusalPage(
                frame: calm,
                text: RefusalText(
                    status: 503, title: "Not possible now", message: "The history is busy.", remedy: "Try again.",
                    typed: TypedValue.all(value: "12", reason: "why")),
                flag: key("ui/theme")),
            BareRefusalPage(
                text: RefusalText(
                    status: 421, title: "Wrong host", message: "There is no such host.", remedy: "Go elsewhere.")),
        ]
        return flagPages + rest + accessPages
    }()

    /// What is said after a change that can be undone.
    static let changed = SavedNotice(outcome: .set, provider: "local", record: history[1])

    /// A Boolean of a provider that can be written, below one that can't and holds a value.
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
        return [
            SignInPage(
                next: "/history", hasLink: true, problem: "Your session is over.", continueHref: "/history",
                typed: TypedValue.all(value: "12", reason: "why")),
            ArrivalPage(href: "/"),
            AccessPage(
                frame: frame, tokens: [TokenRow(token, lastUse: nil, now: now)], tokensProblem: "It can't be read.",
                sessions: [SessionRow(session, ada.person, visitor: ada, now: now)], hasLink: true,
                form: TokenForm(name: "bob", problem: "There is one of that name."), notice: "It is over.",
                created: CreatedToken(name: "carol", secret: "flagboard_x")),
            AccessPage(open: frame),
        ]
    }()

    /// The templates that the dashboard comes with.
    static let templates = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Templates").standardizedFileURL
}
