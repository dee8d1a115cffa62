import FlagChanges

/// The way to the pages on which admins define flags, for admins alone.
enum DefinitionLink {
    /// Whether the person who looks can define flags now.
    static func canDefine(_ view: CatalogueView) -> Bool {
        view.visitor?.isAdmin == true && view.status.block == nil && !view.status.definesInCode
    }

    /// The link on a flag's page; `nil` where it would be of no use.
    static func link(_ entry: FlagEntry, in view: CatalogueView) -> TextLink? {
        guard canDefine(view) else { return nil }
        return entry.isDefined
            ? TextLink(label: "Edit the definition", href: PageLink.definition(entry.key))
            : TextLink(label: "Define this flag", href: PageLink.newDefinition(of: entry.key))
    }
}
