import FeatureFlags

extension Feature {
    static let definition = Feature(
        routes: [.newDefinition, .definition, .definitionByKey],
        styles: ["definitions"])
}

extension MenuItem {
    static let newDefinition = MenuItem("New flag", .newDefinition) { $0.canDefine }
}

extension Route {
    static let newDefinition = Route(
        "new-definition", "/definitions/new", get: Dashboard.newDefinitionPage, post: Dashboard.define,
        resuming: changeOfDefinition)
    static let definition = Route(
        "definition", "/definitions/**", get: Dashboard.definitionPage, post: Dashboard.editDefinition,
        resuming: changeOfDefinition)
    /// By the field `key`, for key paths that browsers normalise away, and for the flag `new`.
    static let definitionByKey = Route(
        "definition-by-key", "/definitions", get: Dashboard.definitionPage, post: Dashboard.editDefinition,
        resuming: changeOfDefinition)

    private static func changeOfDefinition(_ form: SentForm) -> String {
        guard let key = form.key(.definition, .definitionByKey) else { return "It creates a flag." }
        let name = key.shownText
        return switch form["action"] {
        case "delete": "It deletes \(name)."
        case "rename": "It renames \(name)."
        case "retire": "It deprecates \(name)."
        case "restore": "It restores \(name)."
        default: "It changes the definition of \(name)."
        }
    }
}
