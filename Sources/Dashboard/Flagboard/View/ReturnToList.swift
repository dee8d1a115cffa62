import FeatureFlags
import FlagChanges
import Hummingbird

/// A list of flags as what is changed in it comes back to it.
struct ReturnToList: Sendable {
    /// The name, within its page, of the row that a list comes back to.
    static let anchor = "row"

    /// The list's address with its query.
    var href = PageLink.flags
    /// What has just been done, and to which flag.
    var saved: Saved?
    /// The flags that are selected, to be changed together.
    var ticked: Set<FlagKeyPath> = []
    /// The flag whose row the list comes back to.
    var returning: FlagKeyPath?
    /// How much is said of each flag.
    var density = ViewerSettings.Density.roomy

    /// What has just been done to a flag.
    struct Saved: Hashable, Sendable {
        let key: FlagKeyPath
        let notice: SavedNotice
    }

}

extension FlagFilter {
    /// The list that a form stands in, as the browser says by its `Referer`: so a row needs no field for the way back.
    ///
    /// It is `nil` where the form stands on another page, or the browser does not say where.
    init?(referringTo request: Request) {
        guard let address = Dashboard.referrer(of: request), address.prefix(while: { $0 != "?" }) == PageLink.flags
        else {
            return nil
        }
        switch Result(catching: { try FormFields(String(address.dropFirst(PageLink.flags.count + 1))) }) {
        case .success(let fields): self.init(query: fields.values)
        case .failure: return nil
        }
    }
}
