extension Feature {
    static let compare = Feature(
        routes: [.compare],
        styles: ["compare"])
}

extension MenuItem {
    static let compare = MenuItem("Compare", .compare)
}

extension Route {
    static let compare = Route(
        "compare", "/compare", get: Dashboard.comparePage, post: Dashboard.copyAcross,
        resuming: { _ in "It copies values from one provider to another." })
}
