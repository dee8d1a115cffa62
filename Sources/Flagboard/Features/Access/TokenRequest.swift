import FlagChanges
import Foundation
import Hummingbird

/// What the form that makes a token sends.
struct TokenRequest: Hashable, Sendable {
    let name: String
    let role: String
    let expires: String

    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FlagRequest.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        role = fields["role"] ?? ""
        expires = (fields["expires"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes the token.
    ///
    /// - Throws: ``TokensFileError`` that says what is wrong with the form, or with the file.
    func fulfil(in file: TokensFile, at now: Date) async throws(TokensFileError) -> CreatedToken {
        guard let known = ChangeAuthor.Role(rawValue: role) else {
            throw .notKept("Choose a role: viewer, editor or admin.", .role)
        }
        let end = expires.isEmpty ? nil : TokenExpiry.time(expires, at: now)
        guard expires.isEmpty || end != nil else {
            throw .notKept("“\(expires)” is no time to expire at: \(TokenExpiry.advice).", .expires)
        }
        let (secret, token) = try await file.add(name: name, role: known, expires: end, at: now)
        return CreatedToken(name: token.name, secret: secret)
    }

    /// The form as it was sent, with what was wrong with it.
    func form(_ error: TokensFileError) -> TokenForm {
        TokenForm(name: name, role: role, expires: expires, error: error)
    }
}
