extension Feature {
    static let operating = Feature(
        routes: [.health, .metrics])
}

extension Route {
    static let health = Route(
        "health", "/healthz", get: Dashboard.health, visitors: .everybody, isForPrograms: true)
    static let metrics = Route("metrics", "/metrics", get: Dashboard.metricsText, isForPrograms: true)
}
