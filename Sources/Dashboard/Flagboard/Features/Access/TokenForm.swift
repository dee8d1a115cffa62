import FlagChanges
import Foundation
import Hummingbird

/// The form that creates a token, with the input kept when it was refused.
struct TokenForm: Hashable, PagePart {
    let name: String
    let roles: [ChoiceOption]
    /// The offered lifetimes, and the sent one if it is another.
    let lives: [ChoiceOption]
    let until: String
    let problem: String?
    let nameProblem: String?
    let roleProblem: String?
    let expiresProblem: String?

    init(
        name: String = "", role: String = "viewer", expires: String = TokenForm.usualLife, until: String = "",
        error: KeptFileError? = nil
    ) {
        self.name = name
        roles = ChangeAuthor.Role.allCases.map { known in
            ChoiceOption(
                value: known.rawValue, label: known.label, isSelected: known.rawValue == role)
        }
        let offered = [("30d", "In 30 days"), ("90d", "In 90 days"), ("365d", "In a year")]
        let others = offered.contains { $0.0 == expires } ? [] : [(expires, expires.isEmpty ? "Never" : expires)]
        lives = (offered + others).map { ChoiceOption(value: $0.0, label: $0.1, isSelected: $0.0 == expires) }
        self.until = until
        func problem(_ field: TokensFile.Field) -> String? {
            error?.field == field.rawValue ? error?.description : nil
        }
        self.problem = error.map { error in
            let field = error.field.flatMap(TokensFile.Field.init)?.label
            return field.map { "Correct “\($0)” below." } ?? error.description
        }
        nameProblem = problem(.name)
        roleProblem = problem(.role)
        expiresProblem = problem(.expires)
    }
}

extension TokenForm {
    static let usualLife = "30d"
}

extension ChangeAuthor.Role {
    var label: String {
        switch self {
        case .viewer: "Viewer: read only"
        case .editor: "Editor: change values"
        case .admin: "Admin: full access"
        }
    }
}

struct TokenRequest: Hashable, Sendable {
    let name: String
    let role: String
    /// The lifetime such as `30d`, or a day; empty for ever.
    let expires: String
    /// The last valid day, which overrides `expires`; empty when not chosen.
    let until: String

    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FormFields.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        role = fields["role"] ?? ""
        expires = (fields["expires"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        until = (fields["until"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func fulfil(
        in file: TokensFile, at now: Date, reached address: CurlLine.Address
    ) async throws(KeptFileError) -> CreatedToken {
        guard let known = ChangeAuthor.Role(rawValue: role) else {
            throw .refused("Choose a role: viewer, editor or admin.", .role)
        }
        let wanted = until.isEmpty ? expires : until
        let end = wanted.isEmpty ? nil : TokenExpiry.time(wanted, at: now)
        guard wanted.isEmpty || end != nil else {
            throw .refused("“\(wanted)” isn’t a valid expiry: \(TokenExpiry.advice).", .expires)
        }
        let (secret, token) = try await file.add(name: name, role: known, expires: end, at: now)
        return CreatedToken(token, secret: secret, at: address)
    }

    func form(_ error: KeptFileError) -> TokenForm {
        TokenForm(name: name, role: role, expires: expires, until: until, error: error)
    }
}

extension TokensFile.Field {
    /// The field's label in the form.
    fileprivate var label: String {
        switch self {
        case .name: "Name"
        case .role: "Role"
        case .expires: "Expires"
        }
    }
}
