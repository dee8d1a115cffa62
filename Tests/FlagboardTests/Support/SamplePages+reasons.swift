import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

extension Samples {
    /// Pages of changes that were given their reasons later, or are to be.
    static let reasonPages: [any PageModel] = {
        let change = record(3, "ui/theme", after: .string("dark"))
        let notes = [note(4, on: change, "Asked for by sales."), note(5, on: change, "And it stays.")]
        let page = HistoryPage(
            records: notes.reversed() + [change], total: 3, hasNewer: false, hasOlder: false)
        let saved = SavedNotice(
            outcome: .set, provider: "local", record: record(3, "checkout/new_flow", after: .bool(false)))
        let lists = ["checkout", "ui"].map { group in
            FlagListPage(
                frame: frame(), view: view(), filter: FlagFilter(query: ["group": group]),
                saved: ReturnToList.Saved(key: key("checkout/new_flow"), notice: saved))
        }
        let flags = everything.entries.filter { $0.key == key("checkout/new_flow") }.map {
            FlagPage(frame: frame(), entry: $0, view: view(), notice: saved)
        }
        return lists + flags + [
            HistoryListPage(
                frame: frame(), page: page, filter: HistoryFilter(query: [:]), now: now, view: view(),
                notes: [change.id: notes]),
            ChangePage(
                frame: frame(), record: change,
                batch: HistoryBatchOutline(
                    records: [change], sorts: [.init(kind: .set, hasType: true, count: 2)]), notes: [change.id: notes],
                view: view(),
                notice: SavedNotice(outcome: .reasonAdded(1), provider: "Local", record: change, note: notes[0]),
                refused: ReasonForm.Refused(typed: " ", problem: "Enter a reason for change 3.")),
            ChangePage(frame: frame(), record: notes[0], view: view()),
            ChangePage(frame: frame(), record: change, view: view()),
        ]
    }()

    /// The row that gives a change a reason.
    static func note(_ id: Int64, on record: HistoryRecord, _ reason: String, by actor: String = "ann") -> HistoryRecord
    {
        HistoryRecord(
            id: id,
            event: HistoryEvent(
                batch: UUID(), at: now, actor: actor, role: "editor", origin: .form, kind: .note,
                provider: record.event.provider, key: record.event.key, type: record.event.type, before: nil,
                after: .integer(Int128(record.id)), reason: reason),
            previousHash: record.previousHash, hash: record.hash)
    }
}
