extension Feature {
    static let batch = Feature(
        routes: [.batch],
        styles: ["batch"],
        scripts: ["preview"])
}

extension Route {
    static let batch = Route(
        "batch", "/batch", get: Dashboard.previewPage, post: Dashboard.makeBatch,
        resuming: { _ in "It applies the previewed changes." })
}
