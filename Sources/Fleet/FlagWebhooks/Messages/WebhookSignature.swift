import Crypto
import Foundation

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
