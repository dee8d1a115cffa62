import FlagChanges
import Foundation
import Hummingbird

/// What the form that makes a token sends.
struct TokenRequest: Hashable, Sendable {
    let name: String
    let role: String
    /// For how long it is to be good: `30d`, a day, or empty for ever.
    let expires: String
    /// The last day on which it is to be good, which goes before that; empty where none was picked.
    let until: String

    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FormFields.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        role = fields["role"] ?? ""
        expires = (fields["expires"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        until = (fields["until"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes the token.
    func fulfil(in file: TokensFile, at now: Date) async throws(KeptFileError) -> CreatedToken {
        guard let known = ChangeAuthor.Role(rawValue: role) else {
            throw .refused("Choose a role: viewer, editor or admin.", .role)
        }
        let wanted = until.isEmpty ? expires : until
        let end = wanted.isEmpty ? nil : TokenExpiry.time(wanted, at: now)
        guard wanted.isEmpty || end != nil else {
            throw .refused("“\(wanted)” is no time to expire at: \(TokenExpiry.advice).", .expires)
        }
        let (secret, token) = try await file.add(name: name, role: known, expires: end, at: now)
        return CreatedToken(name: token.name, secret: secret)
    }

    /// The form as it was sent, with what was wrong with it.
    func form(_ error: KeptFileError) -> TokenForm {
        TokenForm(name: name, role: role, expires: expires, until: until, error: error)
    }
}
