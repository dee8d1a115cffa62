import FlagChanges

/// The form that makes a token, with what was typed where it was refused.
struct TokenForm: Hashable, PagePart {
    let name: String
    let roles: [ChoiceOption]
    /// For how many days it is good; one entry more where something else was sent.
    let lives: [ChoiceOption]
    /// The last day on which it is good, where that was picked.
    let until: String
    /// Why no token was made, or where that is told.
    let problem: String?
    /// What is wrong with the name.
    let nameProblem: String?
    /// What is wrong with the role.
    let roleProblem: String?
    /// What is wrong with the expiry.
    let expiresProblem: String?

    /// Fills the form.
    init(
        name: String = "", role: String = "viewer", expires: String = TokenForm.usualLife, until: String = "",
        error: KeptFileError? = nil
    ) {
        self.name = name
        roles = ChangeAuthor.Role.allCases.map { known in
            ChoiceOption(
                value: known.rawValue, label: "\(known.rawValue): \(known.meaning)", isSelected: known.rawValue == role)
        }
        let offered = [("30d", "in 30 days"), ("90d", "in 90 days"), ("365d", "in a year")]
        let others = offered.contains { $0.0 == expires } ? [] : [(expires, expires.isEmpty ? "never" : expires)]
        lives = (offered + others).map { ChoiceOption(value: $0.0, label: $0.1, isSelected: $0.0 == expires) }
        self.until = until
        func problem(_ field: TokensFile.Field) -> String? {
            error?.field == field.rawValue ? error?.description : nil
        }
        self.problem = error.map { $0.field == nil ? $0.description : "Correct the marked field." }
        nameProblem = problem(.name)
        roleProblem = problem(.role)
        expiresProblem = problem(.expires)
    }
}

extension TokenForm {
    /// For how long a token is good where nothing else is chosen.
    static let usualLife = "30d"
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
