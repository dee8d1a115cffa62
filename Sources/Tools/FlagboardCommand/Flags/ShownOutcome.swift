import FeatureFlags

/// The outcome of a change as commands print it, from the document of the API.
struct ShownOutcome {
    private let document: JSONValue

    /// - Parameter document: An outcome, or a change of a preview.
    init(_ document: JSONValue) { self.document = document }

    /// The outcome in a line.
    func line(_ key: String = "") -> String {
        guard let change = document["change"] else {
            return key.isEmpty ? "unchanged" : "\(Terminal.line(key)): unchanged"
        }
        let restart = document["waitsForRestart"]?.isTrue == true ? " (takes effect when the app restarts)" : ""
        return "\(Terminal.line(change["key"]?.text ?? key)): \(Self.deed(change))\(restart)"
    }

    /// The planned change in a line, or its refusal.
    var plannedLine: String {
        let key = Terminal.line(document["key"]?.text ?? "")
        if let refusal = document["refusal"] {
            return "\(key): refused (\(Terminal.message(refusal["detail"]?.text ?? "")))"
        }
        guard document["changesNothing"]?.isTrue != true else { return "\(key): unchanged" }
        guard document["provider"] == nil else { return "\(key): \(Self.values(document))" }
        return switch (document["before"], document["after"]) {
        case (nil, _): "\(key): would be defined"
        case (_, nil): "\(key): would be removed"
        default: "\(key): its definition would change"
        }
    }

    private static func deed(_ change: JSONValue) -> String {
        switch change["kind"]?.text {
        case "lock": "locked"
        case "unlock": "unlocked"
        case "define": "defined"
        case "redefine": "defined otherwise"
        case "remove": "removed"
        default: values(change)
        }
    }

    private static func values(_ change: JSONValue) -> String {
        let value = { (name: String) in change[name].map(ShownFlag.line) ?? "no value" }
        return "\(value("before")) → \(value("after"))"
    }
}
