extension Feature {
    static let evaluation = Feature(
        routes: [.evaluations, .evaluation, .evaluationEvents])
}

extension Route {
    static let evaluations = Route(
        "evaluations", "/ofrep/v1/evaluate/flags", post: Dashboard.evaluateFlags, isForPrograms: true)
    static let evaluation = Route(
        "evaluation", "/ofrep/v1/evaluate/flags/**", post: Dashboard.evaluateFlag, isForPrograms: true)
    static let evaluationEvents = Route(
        "evaluation-events", "/ofrep/v1/events", get: Dashboard.evaluationEvents, isForPrograms: true)
}
