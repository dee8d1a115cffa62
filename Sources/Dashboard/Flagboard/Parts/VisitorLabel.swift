import FlagChanges

/// Who looks at a page, in words.
struct VisitorLabel: Hashable, PagePart {
    let name: String
    let role: String
    /// The pages beside the name that the viewer may see: who is let in, webhooks, the viewer's own settings.
    private(set) var links: [NavigationItem]
    let canSignOut: Bool

    /// Puts it in words.
    init(_ visitor: Visitor, hasWebhooks: Bool) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        var sections: [PageFrame.Section] = visitor.isAdmin ? [.access] : []
        if visitor.isAdmin, hasWebhooks { sections.append(.webhooks) }
        links = (sections + [.settings]).map { NavigationItem(to: $0, current: nil) }
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }

    /// This label on a page of this part of the dashboard.
    func marking(_ section: PageFrame.Section?) -> VisitorLabel {
        var label = self
        let current = section.map { NavigationItem(to: $0, current: nil).href }
        label.links = links.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current) }
        return label
    }
}
