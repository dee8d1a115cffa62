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
        return "\(kind) \(Self.shown(before)) → \(Self.shown(after))"
    }

    /// The most characters of a value in a line: what is longer is told whole with --json.
    private static let mostCharacters = 1_000

    private static func shown(_ value: JSONValue?) -> String {
        guard let value else { return "no value" }
        let line = ShownFlag.line(value)
        let start = line.prefix(mostCharacters)
        return start.endIndex == line.endIndex ? line : "\(start)… (\(line.count) characters)"
    }

    /// All of it in a line.
    var line: String {
        let reason = text("reason")
        let number = document["id"]?.integer.map { "#\($0) " } ?? ""
        let provider = document["provider"].map { _ in " in \(text("provider"))" } ?? ""
        let mark = document["altered"] == nil ? "" : "[ALTERED after it was recorded] "
        return
            "\(mark)\(number)\(at) \(actor) (\(text("origin"))): \(key) \(deed)\(provider)\(reason.isEmpty ? "" : ", “\(reason)”")"
    }
}
