extension Feature {
    /// Changes as they happen on open pages.
    static let live = Feature(
        routes: [.events],
        scripts: ["live"])
}

extension Route {
    static let events = Route("events", "/events", get: Dashboard.eventStream, isForPrograms: true)
}
