import FeatureFlags

extension ResumableForm {
    /// What it asks for, as a sentence, from nothing but what the person sent.
    var wish: String {
        let route = Route.at(Self.path(of: address))
        if let key = key(.flag, .flagByKey) {
            return switch self["action"] {
            case "on", "off": "It turns \(key.shownText) \(self["action"] ?? "")."
            case "reset": "It resets \(key.shownText)."
            case "lock", "unlock": "It \(self["action"] ?? "")s \(key.shownText)."
            case "undo": "It undoes a change of \(key.shownText)."
            default: "It sets \(key.shownText)."
            }
        }
        if route?.isDefinition == true {
            guard let key = key(.definition, .definitionByKey) else { return "It defines a flag." }
            return switch self["action"] {
            case "delete": "It deletes \(key.shownText)."
            case "rename": "It renames \(key.shownText)."
            case "retire": "It retires \(key.shownText)."
            case "restore": "It puts \(key.shownText) back in use."
            default: "It changes the definition of \(key.shownText)."
            }
        }
        return switch route {
        case .selection:
            self["extent"] == "all"
                ? "It is about every flag of a list." : "It is about \(FlagListPage.count(count(of: "key")))."
        case .batch: "It makes the changes that you looked at."
        case .importing: "It is an import."
        case .compare: "It copies values from one provider to another."
        case .environments: "It copies values from one environment to another."
        case .timeMachine: "It restores flags of the past."
        case .searches:
            self["action"] == "remove" ? "It removes a saved search." : "It saves a search of the list."
        case .favourites: "It changes your favourites."
        case .settings: "It saves your settings."
        case .restarted: "It says that the app has restarted."
        case .reason: "It adds a reason to a change."
        default: "It reverts a change."
        }
    }

    /// The flag that the address names, behind a route's prefix or by its field `key`.
    private func key(_ route: Route, _ byKey: Route) -> FlagKeyPath? {
        let path = Self.path(of: address)
        guard Route.at(path) == byKey else { return Route.at(path) == route ? route.key(in: path) : nil }
        guard let query = address.split(separator: "?", maxSplits: 1).dropFirst().first,
            case .success(let fields) = Result(catching: { () throws(FormFieldsError) in try FormFields(query) })
        else { return nil }
        return fields["key"].flatMap { FlagKeyPath(text: $0) }
    }

    /// The first field of a name.
    private subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private func count(of name: String) -> Int { fields.count { $0.name == name } }
}
