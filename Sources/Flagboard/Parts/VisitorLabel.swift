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

    /// Puts it in words.
    ///
    /// - Parameters:
    ///   - visitor: Who looks.
    ///   - hasWebhooks: Whether webhooks are told of changes by this dashboard's process.
    init(_ visitor: Visitor, hasWebhooks: Bool) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        accessHref = visitor.isAdmin ? PageLink.access : nil
        webhooksHref = visitor.isAdmin && hasWebhooks ? PageLink.webhooks : nil
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }
}

extension VisitorLabel: PagePart {
    static let fields: PageFields<Self> = [
        "name": .of(\.name), "role": .of(\.role), "accessHref": .of(\.accessHref),
        "webhooksHref": .of(\.webhooksHref), "canSignOut": .of(\.canSignOut),
    ]
}
