import FeatureFlags

extension Feature {
    static let flag = Feature(
        routes: [.flag, .flagByKey, .flagData],
        styles: ["editing"],
        scripts: ["editing"])
}

extension Route {
    static let flag = Route(
        "flag", "/flags/**", get: Dashboard.flagPage, post: Dashboard.editFlag, resuming: changeOfFlag)
    /// By the field `key`, for key paths that browsers normalise away (`.` and `..`).
    static let flagByKey = Route(
        "flag-by-key", "/flags", get: Dashboard.flagPage, post: Dashboard.editFlag, resuming: changeOfFlag)
    /// The effective value's bytes, by the field `key`.
    static let flagData = Route("flag-data", "/data", get: Dashboard.flagData)

    private static func changeOfFlag(_ form: SentForm) -> String {
        guard let key = form.key(.flag, .flagByKey) else { return "It sets a flag." }
        let name = key.shownText
        return switch form["action"] {
        case "on", "off": "It turns \(name) \(form["action"] ?? "")."
        case "reset": "It resets \(name)."
        case "lock", "unlock": "It \(form["action"] ?? "")s \(name)."
        case "undo": "It undoes a change to \(name)."
        default: "It sets \(name)."
        }
    }
}
