extension Feature {
    static let history = Feature(
        routes: [.history, .change, .revert, .again, .reason],
        styles: ["history", "charts"],
        scripts: ["charts"])
}

extension MenuItem {
    static let history = MenuItem("History", .history)
}

extension Route {
    static let history = Route("history", "/history", get: Dashboard.historyList)
    static let change = Route("change", "/history/:id", get: Dashboard.changePage)
    static let revert = Route(
        "revert", "/history/:id/revert", post: Dashboard.revert, resuming: { _ in "It reverts a change." },
        formOn: change)
    static let again = Route(
        "again", "/history/:id/again", post: Dashboard.setAgain, resuming: { _ in "It sets an earlier value again." },
        formOn: change)
    static let reason = Route(
        "reason", "/history/:id/reason", post: Dashboard.addReason, resuming: { _ in "It adds a reason to a change." },
        formOn: change)
}
