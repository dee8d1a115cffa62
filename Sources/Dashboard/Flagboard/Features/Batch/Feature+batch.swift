extension Feature {
    /// Several changes: previewed, then made together.
    static let batch = Feature(
        routes: [.batch],
        styles: ["batch"],
        scripts: ["preview"])
}

extension Route {
    /// Several changes, looked at before and made together.
    static let batch = Route(
        "batch", "/batch", get: Dashboard.previewPage, post: Dashboard.makeBatch,
        resuming: { _ in "It makes the changes that you looked at." })
}
