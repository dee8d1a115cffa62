import FeatureFlags

extension ResumableForm {
    /// What it asks for, as a sentence, from nothing but what the person sent.
    var wish: String {
        let path = Self.path(of: address)
        if let key = key(behind: Routes.flagPrefix) {
            return switch self["action"] {
            case "on", "off": "It turns \(key.shownText) \(self["action"] ?? "")."
            case "reset": "It resets \(key.shownText)."
            case "lock", "unlock": "It \(self["action"] ?? "")s \(key.shownText)."
            case "undo": "It undoes a change of \(key.shownText)."
            default: "It sets \(key.shownText)."
            }
        }
        if Routes.isDefinition(path) {
            guard let key = key(behind: Routes.definitionPrefix) else { return "It defines a flag." }
            return switch self["action"] {
            case "delete": "It deletes \(key.shownText)."
            case "rename": "It renames \(key.shownText)."
            case "retire": "It retires \(key.shownText)."
            case "restore": "It puts \(key.shownText) back in use."
            default: "It changes the definition of \(key.shownText)."
            }
        }
        return switch path {
        case "/selected":
            self["extent"] == "all"
                ? "It is about every flag of a list." : "It is about \(FlagListPage.count(count(of: "key")))."
        case "/batch": "It makes the changes that you looked at."
        case "/import": "It is an import."
        case "/compare": "It copies values from one provider to another."
        case "/history/at": "It restores flags of the past."
        case "/restarted": "It says that the app has restarted."
        default: "It reverts a change."
        }
    }

    /// The flag that the address names.
    private func key(behind prefix: String) -> FlagKeyPath? {
        let path = Self.path(of: address)
        // What follows there is no flag that there is.
        guard path != "/definitions/new" else { return nil }
        if let key = Routes.key(behind: prefix, in: path) { return key }
        guard prefix == "\(path)/", let query = address.split(separator: "?", maxSplits: 1).dropFirst().first,
            case .success(let fields) = Result(catching: { () throws(FormFieldsError) in try FormFields(query) })
        else { return nil }
        return fields["key"].flatMap { FlagKeyPath(text: $0) }
    }

    /// The first field of a name.
    private subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private func count(of name: String) -> Int { fields.count { $0.name == name } }
}
