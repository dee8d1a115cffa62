import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

extension Samples {
    /// A page of every template, between them with every property filled.
    static let pages: [any PageModel] = {
        let catalogue = everything
        let busy = PageFrame(
            fileName: "flags.xml", providers: catalogue.providers, readOnlyReason: "The file is not writable.",
            notices: ["flags.xml was changed from outside."])
        let calm = frame(catalogue.providers)
        let flagPages = catalogue.entries.map {
            FlagPage(
                frame: calm, entry: $0, catalogue: catalogue, now: now, provider: "local",
                form: FlagForm(value: "typed", reason: "why", problem: "\"typed\" is not valid"), history: history,
                historyTotal: 41, notice: "Saved.")
        }
        let emptyPage = HistoryPage(records: [], total: 0, hasNewer: false, hasOlder: false)
        let fullPage = HistoryPage(records: history, total: 90, hasNewer: true, hasOlder: true)
        let rest: [any PageModel] = [
            FlagListPage(frame: busy, catalogue: catalogue, filter: FlagFilter()),
            FlagListPage(
                frame: calm, catalogue: catalogue,
                filter: FlagFilter(query: ["q": "nothing has this", "group": "ui", "state": "odd"])),
            FlagPage(
                frame: calm, entry: catalogue.entries[0], catalogue: catalogue, now: now),
            HistoryListPage(frame: calm, page: fullPage, filter: HistoryFilter(query: [:])),
            HistoryListPage(frame: calm, page: emptyPage, filter: HistoryFilter(query: ["key": "ui"])),
            HistoryListPage(frame: calm, page: nil, filter: HistoryFilter(query: ["from": "soon"])),
            ChangePage(frame: calm, record: history[0], batch: history),
            ExportPage(frame: calm, links: [.values, .effective, .manifest, .historyCSV, .historyJSONL]),
            RefusalPage(
                frame: calm, status: 409, title: "Changed meanwhile", message: "Somebody else changed the flag.",
                remedy: "Compare the values and save again.", flag: key("ui/theme"),
                values: [
                    TypedValue(label: "Base", text: "light"), TypedValue(label: "Theirs", text: "dark"),
                    TypedValue(label: "Yours", text: "system"),
                ]),
        ]
        return flagPages + rest
    }()

    /// The templates that the dashboard comes with.
    static let templates = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Templates").standardizedFileURL
}
