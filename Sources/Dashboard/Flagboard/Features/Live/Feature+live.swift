extension Feature {
    static let live = Feature(
        routes: [.events],
        scripts: ["live"])
}

extension Route {
    static let events = Route("events", "/events", get: Dashboard.eventStream, isForPrograms: true)
}
