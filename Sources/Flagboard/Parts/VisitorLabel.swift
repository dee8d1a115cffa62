import FlagChanges

/// Who looks at a page, in words.
struct VisitorLabel: Hashable, Sendable {
    let name: String
    let role: String
    /// The page about who is let in, for those who may see it.
    let accessHref: String?
    /// The page about webhooks, for those who may see it.
    let webhooksHref: String?
    let canSignOut: Bool

    init(_ visitor: Visitor) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        accessHref = visitor.isAdmin ? PageLink.access : nil
        webhooksHref = visitor.isAdmin ? PageLink.webhooks : nil
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }
}

extension VisitorLabel: PagePart {
    static let fields: PageFields<Self> = [
        "name": .of(\.name), "role": .of(\.role), "accessHref": .of(\.accessHref),
        "webhooksHref": .of(\.webhooksHref), "canSignOut": .of(\.canSignOut),
    ]
}
