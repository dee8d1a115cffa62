extension Feature {
    /// The source code that uses a flag.
    static let source = Feature(
        routes: [.source],
        styles: ["source"])
}

extension Route {
    /// The lines around a place in the source code, by the fields `file` and `line`.
    static let source = Route("source", "/source", get: Dashboard.sourcePage)
}
