extension Feature {
    /// Values from elsewhere.
    static let importing = Feature(
        routes: [.importing],
        styles: ["import"])
}

extension MenuItem {
    static let importing = MenuItem("Import", .importing)
}

extension Route {
    /// Values that come from elsewhere.
    static let importing = Route(
        "import", "/import", get: Dashboard.importPage, post: Dashboard.previewImport,
        resuming: { _ in "It is an import." })
}
