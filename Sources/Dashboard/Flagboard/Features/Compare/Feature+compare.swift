extension Feature {
    /// Two providers side by side.
    static let compare = Feature(
        routes: [.compare],
        styles: ["compare"])
}

extension MenuItem {
    static let compare = MenuItem("Compare", .compare)
}

extension Route {
    /// Two providers side by side; what is posted copies values across.
    static let compare = Route(
        "compare", "/compare", get: Dashboard.comparePage, post: Dashboard.copyAcross,
        resuming: { _ in "It copies values from one provider to another." })
}
