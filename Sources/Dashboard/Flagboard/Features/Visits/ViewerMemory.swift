import FeatureFlags

/// What a viewer's browser remembers of a dashboard, with what follows from that.
struct ViewerMemory: Hashable, Sendable {
    /// Whether a browser asks at all, and no program.
    var isOfBrowser = false
    /// The visit; `nil` where the browser tells of none.
    var visit: ViewerVisit?
    /// The flags that the viewer comes back to.
    var favourites = Favourites()
    /// What edits from outside have touched since the visit before.
    var editedOutside: Set<FlagKeyPath> = []

    /// The last change that the viewer made on pages.
    var ownChange: LastOwnChange?

    /// What was seen on the visit before; `nil` where there was none.
    var lastVisit: ViewerVisit.Sight? { visit?.before }
}
