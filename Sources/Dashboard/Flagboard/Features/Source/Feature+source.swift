extension Feature {
    static let source = Feature(
        routes: [.source],
        styles: ["source"])
}

extension Route {
    static let source = Route("source", "/source", get: Dashboard.sourcePage)
}
