import FeatureFlags
import FlagHistory
import Foundation

extension WebhookMessage {
    /// The most bytes of a body, as receivers of such messages expect.
    static let largestBody = 20_000

    /// The message that tells a webhook of a row.
    package init(of record: HistoryRecord, _ document: JSONValue, to webhook: Webhook) {
        // A history that was put back from a backup has other rows of the same numbers: the hash tells them apart.
        let hash = record.hash.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        id = "\(webhook.id)_\(record.id)_\(hash)"
        body =
            switch webhook.template {
            case .generic: Self.body("flag.changed", at: record.event.at, document)
            case .slack: Self.slack(SlackText.line(of: record, document))
            }
    }

    /// A message that tells of nothing but itself, for a person who tries out a webhook.
    package init(testing webhook: Webhook, at time: Date) {
        id = "\(webhook.id)_test_\(UUID().uuidString.lowercased())"
        let words = "A test of the webhook \(webhook.name), sent by Flagboard. No flag was changed."
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
        // What is long goes first, so that as much as possible stays.
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
