import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history in a line of Slack's markup.
enum SlackText {
    /// Writes a row.
    static func line(of record: HistoryRecord, _ document: JSONValue) -> String {
        let event = record.event
        guard case .object(let members) = document else { return escaped(event.key.text) }
        func value(_ name: String) -> String { members[name].map { code(FlagJSON.line($0)) } ?? "no value" }
        let deed =
            event.provider == nil
            ? event.kind.rawValue
            : "\(event.kind.rawValue) \(value("before")) → \(value("after"))"
        let place = event.provider.map { " in \(escaped($0))" } ?? ""
        let reason = escaped(shortened(event.reason, to: 1000)).split(whereSeparator: \.isNewline).map { "\n>\($0)" }
        return "*\(escaped(shortened(event.key.text, to: 300)))* \(deed)\(place), by \(escaped(event.actor))"
            + " (row \(record.id)\(record.isAltered ? ", *altered after it was recorded*" : ""))\(reason.joined())"
    }

    /// A text that Slack shows as it is.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func code(_ text: String) -> String {
        "`\(escaped(shortened(text, to: 200)).replacing("`", with: "ˋ"))`"
    }

    private static func shortened(_ text: String, to count: Int) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > count else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(count))) + "…"
    }
}
