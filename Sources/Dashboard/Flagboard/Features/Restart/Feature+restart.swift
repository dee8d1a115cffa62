extension Feature {
    static let restart = Feature(
        routes: [.restarted, .apiRestarted])
}

extension Route {
    static let restarted = Route(
        "restarted", "/restarted", post: Dashboard.restarted, resuming: { _ in "It marks the app as restarted." },
        formOn: flags)
    /// A restart reported by the app.
    static let apiRestarted = Route(
        "api-restarted", "/api/v1/restarted", post: Dashboard.appRestarted, isForPrograms: true)
}
