import FeatureFlags

/// A row of the history as commands print it, from what the API tells of it.
struct ShownChange {
    private let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    private func text(_ name: String) -> String { Terminal.line(document[name]?.text ?? "") }

    /// When, in UTC.
    var at: String { text("at") }
    /// By whom.
    var actor: String { text("actor") }
    /// The flag.
    var key: String { text("key") }

    /// What was done, with what was there before and after.
    var deed: String {
        let kind = text("kind")
        if let change = document["noteOn"]?.integer { return "reason for #\(change)" }
        let (before, after) = (document["before"], document["after"])
        let isAboutValue = document["provider"] != nil && ["set", "reset", "external"].contains(kind)
        guard isAboutValue || kind == "denied" && (before != nil || after != nil) else { return kind }
        let value = { (value: JSONValue?) in value.map(ShownFlag.line) ?? "no value" }
        return "\(kind) \(value(before)) → \(value(after))"
    }

    /// All of it in a line.
    var line: String {
        let reason = text("reason")
        let number = document["id"]?.integer.map { "#\($0) " } ?? ""
        let provider = document["provider"].map { _ in " in \(text("provider"))" } ?? ""
        return
            "\(number)\(at) \(actor) (\(text("origin"))): \(key) \(deed)\(provider)\(reason.isEmpty ? "" : ", “\(reason)”")"
    }
}
