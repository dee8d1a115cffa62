import Crypto
import FeatureFlags
import FlagHistory
import Foundation

/// A message in the format of https://www.standardwebhooks.com.
package struct WebhookMessage: Hashable, Sendable {
    /// The same for every try of one row, unique to the row and the webhook.
    package let id: String
    /// JSON.
    package let body: Data

    package func headers(signedWith secrets: [WebhookSecret], at time: Date) -> [(name: String, value: String)] {
        let timestamp = Int64(time.timeIntervalSince1970.rounded(.down))
        let signatures = secrets.map { WebhookSignature.text(of: body, id: id, timestamp: timestamp, with: $0) }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}

/// HMAC-SHA-256 over a message's id, time and body.
enum WebhookSignature {
    /// Signs a message; the time is in seconds since 1970.
    static func text(of body: Data, id: String, timestamp: Int64, with secret: WebhookSecret) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret.bytes))
        return "v1,\(Data(code).base64EncodedString())"
    }
}

/// A history row as a line of Slack's markup.
enum SlackText {
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

extension WebhookMessage {
    /// In bytes, as receivers of such messages expect.
    static let largestBody = 20_000

    package init(of record: HistoryRecord, _ document: JSONValue, to webhook: Webhook) {
        // The hash distinguishes rows of the same number after a backup is restored.
        let hash = record.hash.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        id = "\(webhook.id)_\(record.id)_\(hash)"
        body =
            switch webhook.template {
            case .generic: Self.body("flag.changed", at: record.event.at, document)
            case .slack: Self.slack(SlackText.line(of: record, document))
            }
    }

    /// Creates a test; `id` is that of one that is made again.
    package init(testing webhook: Webhook, at time: Date, id: String? = nil) {
        self.id = id ?? "\(webhook.id)_test_\(UUID().uuidString.lowercased())"
        let words = "A test of the webhook \(webhook.name) from Flagboard. No flag was changed."
        body =
            switch webhook.template {
            case .generic:
                Self.body("webhook.test", at: time, .object(["message": .scalar(.string(words))]))
            case .slack: Self.slack(SlackText.escaped(words))
            }
    }

    private static func body(_ type: String, at time: Date, _ document: JSONValue) -> Data {
        func encoded(_ data: JSONValue) -> Data {
            Data(
                FlagJSON.line(
                    .object([
                        "type": .scalar(.string(type)), "data": data,
                        "timestamp": .scalar(
                            .string(
                                time.formatted(
                                    Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)))),
                    ])
                ).utf8)
        }
        let whole = encoded(document)
        guard whole.count > largestBody, case .object(var members) = document else { return whole }
        members["truncated"] = .scalar(.bool(true))
        // The longest members go first, to keep as many as possible.
        let droppable = ["before", "after", "reason", "requestID", "provider", "actor"]
            .filter { members[$0] != nil }
            .sorted { FlagJSON.line(members[$0] ?? .null).utf8.count > FlagJSON.line(members[$1] ?? .null).utf8.count }
        for name in droppable {
            members[name] = nil
            let shorter = encoded(.object(members))
            if shorter.count <= largestBody { return shorter }
        }
        return encoded(.object(members.filter { ["id", "hash", "kind", "altered", "truncated"].contains($0.key) }))
    }

    private static func slack(_ text: String) -> Data {
        Data(FlagJSON.line(.object(["text": .scalar(.string(text))])).utf8)
    }
}
