import Foundation

/// A program elsewhere that is told of changes: where it is, what it wants to know, and what its messages are signed with.
package struct Webhook: Hashable, Sendable, Codable, Identifiable {
    /// How messages are written.
    package enum Template: String, CaseIterable, Codable, Sendable {
        /// The row of the history as JSON.
        case generic
        /// A text for a channel of Slack, or of whatever takes Slack's messages.
        case slack
    }

    /// Rows that are to be sent again.
    package struct Replay: Hashable, Sendable, Codable {
        /// Greater than that of any earlier wish of the same webhook.
        package let number: Int
        /// The first row.
        package let from: Int64
        /// The last row; `nil` for the last one that was passed on.
        package let to: Int64?
    }

    /// What tells it from all others: `wh_` and random letters and digits.
    package let id: String
    /// What people call it; no other one has it.
    package let name: String
    /// Where messages go.
    package let url: WebhookURL
    /// Which rows it wants; all of them where there are none.
    package let filters: [WebhookFilter]
    /// How its messages are written.
    package let template: Template
    /// Whether it may be on this machine or in a private network.
    package let allowsPrivate: Bool
    /// When it was added.
    package let created: Date
    /// The last row when it was added: it is told of those after it.
    package let after: Int64
    /// What messages are signed with, the newest first; older ones beside it for a while.
    package internal(set) var secrets: [WebhookSecret.Kept]
    /// How often it was enabled again.
    package internal(set) var revivals = 0
    /// The last wish for rows to be sent again; `nil` where there was none.
    package internal(set) var replay: Replay?

    /// The secrets that count at a time.
    package func secrets(at time: Date) -> [WebhookSecret] {
        secrets.filter { $0.until.map { time < $0 } ?? true }.map(\.secret)
    }

    static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return "wh_" + String((0..<12).map { _ in letters.randomElement(using: &generator) ?? "x" })
    }

    /// What is wrong with a name; `nil` where it can be one.
    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "The name is empty: say what the webhook is for." }
        if name.unicodeScalars.count > longestName {
            return "The name has \(name.unicodeScalars.count) characters; at most \(longestName) are kept."
        }
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        if !isPlain { return "The name holds a character that can’t be seen, such as a line end: leave it out." }
        if name.hasPrefix("wh_") {
            return "The name begins with wh_, as what Flagboard gives does: choose another one."
        }
        return nil
    }

    /// How long a name may be, in Unicode scalars.
    static let longestName = 100
}

/// What messages to a webhook are signed with: random bytes that the receiver knows too.
///
/// As text it is `whsec_` and the bytes in base64, as https://www.standardwebhooks.com has it.
package struct WebhookSecret: Hashable, Sendable {
    /// A secret in the file, and how long it counts.
    package struct Kept: Hashable, Sendable, Codable {
        /// The secret.
        package let secret: WebhookSecret
        /// From when on it does not count; `nil` of the newest one.
        package var until: Date?
    }

    /// The bytes, 24 to 64 of them.
    let bytes: Data

    private static let prefix = "whsec_"
    private static let sizes = 24...64

    /// A new secret of 32 random bytes.
    static func random() -> WebhookSecret {
        var generator = SystemRandomNumberGenerator()
        return WebhookSecret(bytes: Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }

    private init(bytes: Data) { self.bytes = bytes }

    /// Reads what ``text`` gives; `nil` for any other text.
    ///
    /// - Parameter text: `whsec_` and 24 to 64 bytes in base64.
    package init?(text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            Self.sizes.contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    /// The secret as its holder has it.
    package var text: String { Self.prefix + bytes.base64EncodedString() }
}

extension WebhookSecret: Codable {
    /// Reads a secret of the file.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let secret = WebhookSecret(text: try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "a secret must be whsec_ and 24 to 64 bytes in base64")
        }
        self = secret
    }

    /// Writes a secret of the file.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}
