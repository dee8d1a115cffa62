extension Feature {
    static let flagList = Feature(
        routes: [.flags],
        styles: ["finding", "rows"],
        scripts: ["search", "groups", "rows"])
}

extension MenuItem {
    static let flags = MenuItem("Flags", .flags)
}

extension Route {
    static let flags = Route("flags", "/", get: Dashboard.flagList)
}
