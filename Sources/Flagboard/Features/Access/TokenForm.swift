import FlagChanges

/// The form that makes a token, with what was typed where it was refused.
struct TokenForm: Hashable, Sendable {
    let name: String
    let roles: [ChoiceOption]
    let expires: String
    /// Why no token was made, or where that is told.
    let problem: String?
    /// What is wrong with the name.
    let nameProblem: String?
    /// What is wrong with the role.
    let roleProblem: String?
    /// What is wrong with the expiry.
    let expiresProblem: String?

    /// Fills the form.
    ///
    /// - Parameters:
    ///   - name: The name as typed.
    ///   - role: The role that is chosen.
    ///   - expires: The expiry as typed.
    ///   - error: Why no token was made.
    init(name: String = "", role: String = "viewer", expires: String = "", error: TokensFileError? = nil) {
        self.name = name
        roles = ChangeAuthor.Role.allCases.map { known in
            ChoiceOption(
                value: known.rawValue, label: "\(known.rawValue): \(known.meaning)", isSelected: known.rawValue == role)
        }
        self.expires = expires
        func problem(_ field: TokensFileError.Field) -> String? { error?.field == field ? error?.description : nil }
        self.problem = error.map { $0.field == nil ? $0.description : "Correct what is marked below." }
        nameProblem = problem(.name)
        roleProblem = problem(.role)
        expiresProblem = problem(.expires)
    }
}

extension ChangeAuthor.Role {
    /// What the role lets a person do, in a few words.
    var meaning: String {
        switch self {
        case .viewer: "reads"
        case .editor: "changes values"
        case .admin: "changes everything"
        }
    }
}

extension TokenForm: PagePart {
    static let fields: PageFields<Self> = [
        "name": .of(\.name), "roles": .of(\.roles), "expires": .of(\.expires), "problem": .of(\.problem),
        "nameProblem": .of(\.nameProblem), "roleProblem": .of(\.roleProblem), "expiresProblem": .of(\.expiresProblem),
    ]
}
