extension Feature {
    static let settings = Feature(
        routes: [.settings],
        styles: ["settings"],
        scripts: ["zone"])
}

extension MenuItem {
    static let settings = MenuItem("Settings", .settings)
}

extension Route {
    static let settings = Route(
        "settings", "/settings", get: Dashboard.settingsPage, post: Dashboard.saveSettings,
        resuming: { _ in "It saves your settings." })
}
