extension Feature {
    static let timeMachine = Feature(
        routes: [.timeMachine, .pastValues, .pastJSON],
        styles: ["time-machine"],
        scripts: ["slider"])
}

extension MenuItem {
    static let timeMachine = MenuItem("Time machine", .timeMachine)
}

extension Route {
    static let timeMachine = Route(
        "time-machine", "/history/at", get: Dashboard.timeMachine,
        post: Dashboard.matrixChange(of: PastFlags.self),
        resuming: { _ in "It restores earlier flags." })
    static let pastValues = Route("past-values", "/history/at/values.xml", get: Dashboard.pastValues)
    static let pastJSON = Route("past-json", "/history/at/values.json", get: Dashboard.pastJSON)
}
