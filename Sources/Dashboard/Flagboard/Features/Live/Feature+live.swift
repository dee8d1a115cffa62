extension Feature {
    /// Changes as they happen, on pages that are open.
    static let live = Feature(
        routes: [.events],
        scripts: ["live"])
}

extension Route {
    /// What changes, as it happens.
    static let events = Route("events", "/events", get: Dashboard.eventStream, isForPrograms: true)
}
