import FeatureFlags
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
}
