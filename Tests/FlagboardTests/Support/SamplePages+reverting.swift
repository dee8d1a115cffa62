import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

extension Samples {
    /// Pages of flags whose changes can be put back, of which one is a colour, and one is retired and has expired.
    static let revertPages: [any PageModel] = {
        let colour = entry("ui/colour", .string, default: .string("#1A5FB4"), stored: .string("#00ff00"))
        let old = entry(
            "ui/old", .bool, default: .bool(false), stored: .bool(true),
            metadata: FlagMetadata(
                requiresRestart: true, expires: now.addingTimeInterval(-86_400), retired: "nobody uses it"))
        let values = (1...8).map { FlagValue.string("#00000\($0)") }
        let changes = (1..<8).reversed().map {
            record(Int64($0), "ui/colour", before: values[$0 - 1], after: values[$0])
        }
        return [
            page(colour, changes + [record(0, "ui/colour", .define, after: .dictionary([:]), provider: nil)]),
            page(old, [record(9, "ui/old", before: nil, after: .bool(true))]),
        ]
    }()

    /// The page of a flag for an admin.
    static func page(_ entry: FlagEntry, _ records: [HistoryRecord], by role: ChangeAuthor.Role = .admin) -> FlagPage {
        let page = HistoryPage(records: records, total: records.count, hasNewer: false, hasOlder: false)
        return FlagPage(
            frame: frame(), entry: entry, view: view(catalogue([entry]), by: role),
            past: FlagHistorySummary(page: page, steps: ValueSteps(steps: [], rowCount: 0, cutOff: nil)))
    }
}
