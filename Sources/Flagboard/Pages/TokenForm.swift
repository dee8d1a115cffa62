import FlagChanges

/// The form that makes a token, with what was typed where it was refused.
struct TokenForm: Hashable, Sendable {
    let name: String
    let roles: [ChoiceOption]
    let expires: String
    /// Why no token was made.
    let problem: String?

    /// Fills the form.
    ///
    /// - Parameters:
    ///   - name: The name as typed.
    ///   - role: The role that is chosen.
    ///   - expires: The expiry as typed.
    ///   - problem: Why no token was made.
    init(name: String = "", role: String = "viewer", expires: String = "", problem: String? = nil) {
        self.name = name
        roles = ChangeAuthor.Role.allCases.map { known in
            ChoiceOption(
                value: known.rawValue, label: "\(known.rawValue): \(known.meaning)", isSelected: known.rawValue == role)
        }
        self.expires = expires
        self.problem = problem
    }
}

extension ChangeAuthor.Role {
    /// What the role lets somebody do, in a few words.
    var meaning: String {
        switch self {
        case .viewer: "reads"
        case .editor: "changes values"
        case .admin: "changes everything"
        }
    }
}
