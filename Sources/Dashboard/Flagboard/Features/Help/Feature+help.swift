extension Feature {
    /// Help, for people and for programs.
    static let help = Feature(
        routes: [.help, .apiHelp],
        styles: ["api"])
}

extension MenuItem {
    static let help = MenuItem("Help", .help)
    static let apiHelp = MenuItem("Help for programs", .apiHelp)
}

extension Route {
    /// What the words mean, and the keys.
    static let help = Route("help", "/help", get: Dashboard.helpPage)
    /// What programs can ask, told for people.
    static let apiHelp = Route("help-api", "/help/api", get: Dashboard.apiPage)
}
