import Crypto
import FeatureFlags
import FlagHistory
import Foundation

/// A message to a webhook as https://www.standardwebhooks.com describes it.
package struct WebhookMessage: Hashable, Sendable {
    /// The same for each try of one row, and for no other row and no other webhook.
    package let id: String
    /// JSON.
    package let body: Data

    /// The headers that prove who wrote a message, and when.
    package func headers(signedWith secrets: [WebhookSecret], at time: Date) -> [(name: String, value: String)] {
        let timestamp = Int64(time.timeIntervalSince1970.rounded(.down))
        let signatures = secrets.map { WebhookSignature.text(of: body, id: id, timestamp: timestamp, with: $0) }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}

/// What proves that a message comes from a person who has a secret: HMAC-SHA-256 over its id, time and body.
enum WebhookSignature {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - body: The bytes that are sent.
    ///   - timestamp: When it is sent, in seconds since 1970.
    static func text(of body: Data, id: String, timestamp: Int64, with secret: WebhookSecret) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret.bytes))
        return "v1,\(Data(code).base64EncodedString())"
    }
}

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
