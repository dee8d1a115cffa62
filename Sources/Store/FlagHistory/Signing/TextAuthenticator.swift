import Crypto
import Foundation

/// Authenticates texts that travel through other hands and come back, by HMAC-SHA-256 (RFC 2104).
///
/// Each value has a random key of its own, which it does not tell: only this one, or a copy of it, takes its codes.
package struct TextAuthenticator: Sendable {
    private let key = SymmetricKey(size: .bits256)

    /// Makes a random key.
    package init() {}

    /// The code of some texts: 32 bytes in hexadecimal.
    ///
    /// - Parameter texts: The texts; where one ends and the next begins counts too.
    package func code(of texts: String...) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Self.bytes(of: texts), using: key)).hexadecimal
    }

    /// Whether a code is that of some texts, found out in a time that does not depend on how much of it is.
    package func isCode(_ code: String, of texts: String...) -> Bool {
        guard let code = Data(hexadecimal: code) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.bytes(of: texts), using: key)
    }

    private static func bytes(of texts: [String]) -> Data {
        var bytes = SignedBytes("flagboard texts 1")
        for text in texts { bytes.add(text) }
        return bytes.data
    }
}
