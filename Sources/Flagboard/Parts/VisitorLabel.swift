import FlagChanges

/// Who looks at a page, in words.
struct VisitorLabel: Hashable, Sendable {
    let name: String
    let role: String
    /// The page about who is let in, for those who may see it.
    let accessHref: String?
    let canSignOut: Bool

    init(_ visitor: Visitor) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        accessHref = visitor.isAdmin ? PageLink.access : nil
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }
}

extension VisitorLabel: PagePart {
    static let fields: PageFields<Self> = [
        "name": .of(\.name), "role": .of(\.role), "accessHref": .of(\.accessHref), "canSignOut": .of(\.canSignOut),
    ]
}
