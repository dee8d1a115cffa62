import FlagChanges

extension Feature {
    static let environments = Feature(routes: [.environments])
}

extension MenuItem {
    static let environments = MenuItem("Environments", .environments) { $0.providers.count(where: \.isFile) > 1 }
}

extension Route {
    static let environments = Route(
        "environments", "/environments", get: Dashboard.matrixPage(of: Environments.self),
        post: Dashboard.matrixChange(of: Environments.self),
        resuming: { _ in "It copies values from one environment to another." })
}
