import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

@testable import FlagChanges
@testable import Flagboard

extension Samples {
    /// What is around a page for an editor who has changed a flag.
    static var rememberingFrame: PageFrame {
        let last = LastOwnChange(record: record(2, "ui/motd", before: .string("x"), after: .string("y")), count: 1)
        return PageFrame(
            fileName: "flags.xml", providers: everything.providers, ownChange: OwnChange(last, in: view(by: .editor)))
    }

    /// All flags as an editor sees them who was here before, while one waits for a restart.
    static var rememberingView: CatalogueView {
        var view = view(by: .editor)
        let before = ViewerVisit.Sight(row: 3, at: now.addingTimeInterval(-86_400))
        view.memory.visit = ViewerVisit(latest: .init(row: 5, at: now), before: before)
        view.memory.favourites = Favourites(text: "!ui/theme!ui/motd")
        view.memory.editedOutside = [key("ui/motd")]
        view.pendingRestart = PendingRestart(
            waits: [
                .init(key: key("checkout/payments/wallet"), name: "Wallet", before: .bool(true), now: .bool(false))
            ],
            lastRow: 5)
        return view
    }

    /// The page of a flag at which unresolved merge conflict.
    static func merged(by role: ChangeAuthor.Role) -> FlagPage {
        var view = view(by: role)
        view.conflicts = [
            FileConflict(
                file: URL(filePath: "/shop/flags.xml"), provider: "local", key: key("ui/motd"), place: "ui/motd",
                location: SourceLocation(line: 7, column: 1), ours: .string("Good day"), theirs: nil)
        ]
        let flag = everything[key("ui/motd")] ?? entry("ui/motd", .string)
        return FlagPage(frame: frame(everything.providers), entry: flag, view: view)
    }
}
