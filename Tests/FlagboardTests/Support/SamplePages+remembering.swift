import FeatureFlags
import Foundation

@testable import FlagChanges
@testable import Flagboard

extension Samples {
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
