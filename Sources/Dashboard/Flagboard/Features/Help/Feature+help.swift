extension Feature {
    static let help = Feature(
        routes: [.help, .apiHelp],
        styles: ["api"])
}

extension MenuItem {
    static let help = MenuItem("Help", .help)
    static let apiHelp = MenuItem("API reference", .apiHelp)
}

extension Route {
    static let help = Route("help", "/help", get: Dashboard.helpPage)
    static let apiHelp = Route("help-api", "/help/api", get: Dashboard.apiPage)
}
