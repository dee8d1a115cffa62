import Foundation

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
