extension Feature {
    static let searches = Feature(
        routes: [.searches],
        styles: ["searches"])
}

extension MenuItem {
    static let searches = MenuItem("All saved searches", .searches)
}

extension Route {
    static let searches = Route(
        "searches", "/searches", get: Dashboard.searchesPage, post: Dashboard.changeSearches,
        resuming: { form in
            form["action"] == "remove" ? "It removes a saved search." : "It saves a search of the list."
        })
}
