import Foundation

/// The secrets that let a person in: tokens and session identifiers.
enum AccessSecret {
    /// How every named token begins, for programs that look for secrets where none should be.
    static let tokenPrefix = "flagboard_"

    /// 256 random bits as base64url (RFC 4648, section 5) without padding: 43 characters.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A new token of that kind which has a name.
    static func token() -> String { tokenPrefix + random() }
}
