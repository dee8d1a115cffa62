import FeatureFlags
import FlagChanges
import Foundation

/// A flag of the API, formatted for commands.
struct ShownFlag {
    private let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    struct Provider {
        let name: String
        let value: String
        /// `false` if the app that reads this file doesn't use it.
        let isAsked: Bool
    }

    var key: String { Terminal.line(document["key"]?.text ?? "") }
    var name: String { Terminal.line(document["name"]?.text ?? "") }
    var description: String? { document["description"]?.text }
    var type: String { document["type"]?.text ?? "" }
    var isLocked: Bool { document["isLocked"]?.isTrue ?? false }
    var requiresRestart: Bool { document["requiresRestart"]?.isTrue ?? false }
    var value: JSONValue? { document["value"] }
    /// `true` if only the app knows the value.
    var isComputed: Bool { document["state"]?.text == FlagState.computed.rawValue }
    /// `true` if only the app knows the default.
    var isDefaultComputed: Bool { document["computed"]?.text == FlagComputation.default.rawValue }
    private var excludedProviders: [String] { (document["excludedProviders"]?.items ?? []).compactMap(\.text) }
    var defaultValue: JSONValue? { document["default"] }

    var source: String {
        switch document["source"]?.text {
        case "none", nil: "none"
        case .some(let name): Terminal.line(name)
        }
    }

    /// `nil` if no provider wins.
    var winner: String? {
        document["source"]?.text.flatMap { ["none", "default", "computed"].contains($0) ? nil : $0 }
    }

    /// Each provider's answer, in their order.
    var providers: [Provider] {
        (document["providers"]?.items ?? []).map { provider in
            let value =
                switch provider["answer"]?.text {
                case "value": provider["value"].map(Self.line) ?? ""
                case "broken":
                    "broken: \(Terminal.message(provider["problem"]?.text ?? ""))"
                        + (provider["lastGood"].map { "; its last good value is \(Self.line($0))" } ?? "")
                default:
                    excludedProviders.contains(provider["name"]?.text ?? "") ? "never read by the app" : "no value"
                }
            return Provider(
                name: provider["name"]?.text ?? "", value: value, isAsked: provider["isAsked"]?.isTrue ?? true)
        }
    }

    /// A warning for each broken source.
    var cautions: [String] {
        let broken = (document["brokenSources"]?.items ?? []).compactMap(\.text)
        let isStale = document["isStale"]?.isTrue == true
        return broken.map { name in
            let consequence =
                if isStale, name == winner { "Using its last good value (stale)" } else if value == nil {
                    "It has no last good value, so the flag has no value"
                } else { "It has no last good value, so the value comes from \(winner ?? "the default")" }
            return "\(key): \(brokenness(of: name)) \(consequence)."
        }
    }

    func caution(of provider: String) -> String? {
        "\(key): \(brokenness(of: provider)) Using its last good value (stale)."
    }

    private func brokenness(of provider: String) -> String {
        let problem = (reading(of: provider)?["problem"]?.text ?? "").withoutFullStop
        return "\(Terminal.line(provider)) is broken: \(Terminal.line(problem))."
    }

    private func reading(of provider: String) -> JSONValue? {
        document["providers"]?.items?.first { $0["name"]?.text == provider }
    }

    func has(_ provider: String) -> Bool { reading(of: provider) != nil }

    func lastGood(in name: String) -> JSONValue? { reading(of: name)?["lastGood"] }

    var isStale: Bool { document["isStale"]?.isTrue == true }

    /// `nil` if the provider has no valid value.
    func value(in name: String) -> JSONValue? {
        reading(of: name)?["value"]
    }

    /// `nil` if the value is sound or missing.
    func problem(in name: String) -> String? {
        reading(of: name)?["problem"]?.text
    }

    /// Returns the API's document, with a provider's value as the effective one.
    func document(of provider: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = document else { return document }
        (members["value"], members["source"]) = (value, .scalar(.string(provider)))
        return .object(members)
    }

    /// The reason not to use the flag any more, which may be empty; `nil` if there is none.
    var deprecation: String? { document["retired"]?.text }

    /// The state, in the words of the dashboard.
    var words: String {
        let state = document["state"]?.text.flatMap(FlagState.init(rawValue:))?.label
        let isBroken = (document["providers"]?.items ?? []).contains {
            $0["answer"]?.text == "broken" && $0["isAsked"]?.isTrue != false
        }
        let marks = [
            (isBroken, "broken"), (isStale, "last good value"), (isLocked, "locked"),
            (requiresRestart, "requires restart"), (isExpired, "expired"), (deprecation != nil, "deprecated"),
            (!(document["isDefined"]?.isTrue ?? false), "undefined"),
        ]
        return ([state].compactMap { $0 } + marks.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    private var isExpired: Bool { document["expires"]?.text.flatMap(FlagDate.parse).map { $0 < .now } ?? false }

    static func line(_ value: JSONValue) -> String { Terminal.line(raw(value)) }

    /// Text without quotation marks; JSON of a value with parts.
    static func raw(_ value: JSONValue) -> String { value.text ?? FlagJSON.line(value) }
}

/// The outcome of a change, formatted for commands.
struct ShownOutcome {
    private let document: JSONValue

    /// An outcome, or a change of a preview.
    init(_ document: JSONValue) { self.document = document }

    func line(_ key: String = "") -> String {
        guard let change = document["change"] else {
            return key.isEmpty ? "unchanged" : "\(Terminal.line(key)): unchanged"
        }
        let restart = document["waitsForRestart"]?.isTrue == true ? " (takes effect when the app restarts)" : ""
        return "\(Terminal.line(change["key"]?.text ?? key)): \(Self.deed(change))\(restart)"
    }

    /// The planned change or its refusal.
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
        default: "\(key): definition would change"
        }
    }

    private static func deed(_ change: JSONValue) -> String {
        switch change["kind"]?.text {
        case "lock": "locked"
        case "unlock": "unlocked"
        case "define": "defined"
        case "redefine": "definition changed"
        case "remove": "removed"
        default: values(change)
        }
    }

    private static func values(_ change: JSONValue) -> String {
        let value = { (name: String) in change[name].map(ShownFlag.line) ?? "no value" }
        return "\(value("before")) → \(value("after"))"
    }
}

/// A row of the history, formatted for commands.
struct ShownChange {
    private let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    private func text(_ name: String) -> String { Terminal.line(document[name]?.text ?? "") }

    static func warnOfAlteredRows(in document: JSONValue) {
        let altered = document["altered"]?.items?.compactMap(\.integer) ?? []
        guard !altered.isEmpty else { return }
        let rows = altered.map(String.init).joined(separator: ", ")
        CommandOutput.warn(
            "\(altered.count == 1 ? "Row \(rows) of the history is" : "Rows \(rows) of the history are") altered "
                + "or missing. Run flagboard history verify with the same files.")
    }

    /// In UTC.
    var at: String { text("at") }
    var actor: String { text("actor") }
    var key: String { text("key") }

    /// The kind, with the values before and after.
    var deed: String {
        let kind = text("kind")
        if let change = document["noteOn"]?.integer { return "reason for #\(change)" }
        let (before, after) = (document["before"], document["after"])
        let isAboutValue = document["provider"] != nil && ["set", "reset", "external"].contains(kind)
        guard isAboutValue || kind == "denied" && (before != nil || after != nil) else { return kind }
        return "\(kind) \(Self.shown(before)) → \(Self.shown(after))"
    }

    /// The most characters of a value in a line; `--json` prints all.
    private static let mostCharacters = 1_000

    private static func shown(_ value: JSONValue?) -> String {
        guard let value else { return "no value" }
        let line = ShownFlag.line(value)
        let start = line.prefix(mostCharacters)
        return start.endIndex == line.endIndex ? line : "\(start)… (\(line.count) characters)"
    }

    var line: String {
        let reason = text("reason")
        let number = document["id"]?.integer.map { "#\($0) " } ?? ""
        let provider = document["provider"].map { _ in " in \(text("provider"))" } ?? ""
        let mark = document["altered"] == nil ? "" : "[ALTERED after it was recorded] "
        return
            "\(mark)\(number)\(at) \(actor) (\(text("origin"))): \(key) \(deed)\(provider)\(reason.isEmpty ? "" : ", “\(reason)”")"
    }
}
