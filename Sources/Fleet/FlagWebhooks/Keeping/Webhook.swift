import Foundation

/// A receiver of messages about changes, with its filters and secrets.
package struct Webhook: Hashable, Sendable, Codable, Identifiable {
    package enum Template: String, CaseIterable, Codable, Sendable {
        /// The history row as JSON.
        case generic
        /// Text for a Slack channel, or a receiver of Slack's messages.
        case slack
    }

    package struct Replay: Hashable, Sendable, Codable {
        /// Greater than any earlier request's number.
        package let number: Int
        package let from: Int64
        /// `nil` for the last row delivered.
        package let to: Int64?
    }

    /// `wh_` and random letters and digits.
    package let id: String
    /// Unique among the webhooks.
    package let name: String
    package let url: WebhookURL
    /// An empty list admits all rows.
    package let filters: [WebhookFilter]
    package let template: Template
    /// Allows this machine and private networks.
    package let allowsPrivate: Bool
    package let created: Date
    /// The last row at creation; messages begin after it.
    package let after: Int64
    /// The newest first; older ones remain valid for a while.
    package internal(set) var secrets: [WebhookSecret.Kept]
    package internal(set) var revivals = 0
    package internal(set) var replay: Replay?
    /// The time since when nothing is sent; `nil` if it isn't paused.
    package internal(set) var paused: Date?

    package func secrets(at time: Date) -> [WebhookSecret] {
        secrets.filter { $0.until.map { time < $0 } ?? true }.map(\.secret)
    }

    static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return "wh_" + String((0..<12).map { _ in letters.randomElement(using: &generator) ?? "x" })
    }

    /// Returns a name's fault, as a sentence.
    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "Enter a name for the webhook." }
        if name.unicodeScalars.count > longestName {
            return "The name has \(name.unicodeScalars.count) characters. The limit is \(longestName)."
        }
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        if !isPlain { return "The name contains an invisible character, such as a line break. Remove it." }
        if name.hasPrefix("wh_") {
            return "The name can't start with wh_, which is reserved for IDs."
        }
        return nil
    }

    /// In Unicode scalars.
    static let longestName = 100
}

/// A secret shared with the receiver, for signing messages.
///
/// Its text follows https://www.standardwebhooks.com: `whsec_` and the bytes in base64.
package struct WebhookSecret: Hashable, Sendable {
    package struct Kept: Hashable, Sendable, Codable {
        package let secret: WebhookSecret
        /// `nil` for the newest secret.
        package var until: Date?
    }

    /// 24 to 64 bytes.
    let bytes: Data

    private static let prefix = "whsec_"
    private static let sizes = 24...64

    static func random() -> WebhookSecret {
        var generator = SystemRandomNumberGenerator()
        return WebhookSecret(bytes: Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }

    private init(bytes: Data) { self.bytes = bytes }

    /// Parses ``text``; `nil` if it is invalid.
    package init?(text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            Self.sizes.contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    package var text: String { Self.prefix + bytes.base64EncodedString() }
}

extension WebhookSecret: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let secret = WebhookSecret(text: try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "a secret must be whsec_ and 24 to 64 bytes in base64")
        }
        self = secret
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}
