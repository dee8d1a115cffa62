extension Feature {
    static let importing = Feature(
        routes: [.importing],
        styles: ["import"])
}

extension MenuItem {
    static let importing = MenuItem("Import", .importing) { $0.visitor?.isAdmin == true }
}

extension Route {
    static let importing = Route(
        "import", "/import", get: Dashboard.importPage, post: Dashboard.previewImport,
        resuming: { _ in "It imports values." })
}
