import FeatureFlags
import FlagChanges

/// What is around every page: title, navigation, the file, and what holds for all of it.
struct PageFrame: PagePart {
    /// The page's title, in the browser's tab.
    private(set) var title: String
    /// The links to the parts of the dashboard.
    private(set) var navigation: [NavigationItem]
    /// The names of the style sheets, without `.css`.
    let styles = Feature.allStyles
    /// The names of the scripts, without `.js`.
    let scripts = Feature.allScripts
    /// The name of the values file.
    let fileName: String
    /// What to say at the top of the page.
    private(set) var notices: [PageNotice]
    /// What is said of all of that where there is little room; `nil` where there is nothing to say.
    private(set) var fold: NoticeFold?
    /// The providers that a read asks, in order of precedence.
    let sources: [ProviderLabel]
    /// Those that it doesn't: other environments.
    let elsewhere: [ProviderLabel]
    /// The name of the provider that the values file is.
    let localName: String
    /// Who looks at the page.
    private(set) var visitor: VisitorLabel?
    /// What tells this dashboard from others, at the top.
    let banner: EnvironmentBanner?
    /// The last row of the history that the page is told with, from which on a script follows what changes.
    let lastRow: Int64?
    /// The ``StatusFingerprint`` of when the page was made, for a script that follows that; `nil` without such a script.
    let mark: String?
    /// What waits for a restart of the app.
    let restart: RestartBanner?
    /// What has just been done that no part of the page tells; `nil` for nothing.
    let note: String?
    /// The last change that the viewer made; `nil` where it can't be undone here.
    let ownChange: OwnChange?
    /// The list of the viewer's favourites, where there are any, and the searches of the list that have a name.
    let saved: [NavigationItem]
    /// The pages that the viewer may see and no menu leads to, for the field in which pages are found by their names.
    let furtherPages: [TextLink]
    /// What the page can be copied as; `nil` for what is no page of its own.
    let copies: PageCopies?
    /// The colours that the viewer has chosen, `light` or `dark`; `nil` for those of the system.
    let theme: String?
    /// The time zone that the viewer has chosen, by its name; `nil` for the browser's.
    let zone: String?

    /// Makes the frame of any page.
    init(
        fileName: String, providers: [ProviderSummary], status: ServiceStatus = .clear, visitor: Visitor? = nil,
        hasWebhooks: Bool = false,
        banner: EnvironmentBanner? = nil, lastRow: Int64? = nil, mark: StatusFingerprint? = nil,
        restart: RestartBanner? = nil, note: String? = nil, localName: String = FlagFiles.localProviderName,
        settings: ViewerSettings = ViewerSettings(), copies: PageCopies? = nil,
        searches: [NavigationItem] = [], favourites: NavigationItem? = nil,
        ownChange: OwnChange? = nil, furtherPages: [TextLink] = []
    ) {
        self.title = "Flagboard"
        self.banner = banner
        self.lastRow = lastRow
        self.mark = mark?.text
        let viewer = MenuViewer(providers: providers, visitor: visitor, hasWebhooks: hasWebhooks)
        self.navigation = NavigationItem.all(of: Feature.navigation, for: viewer)
        self.ownChange = ownChange
        self.fileName = fileName
        self.notices = status.notices
        sources = providers.filter(\.isAsked).map { ProviderLabel($0, status) }
        elsewhere = providers.filter { !$0.isAsked }.map { ProviderLabel($0, status) }
        self.localName = localName
        self.visitor = visitor.map { VisitorLabel($0, NavigationItem.all(of: Feature.viewerMenu, for: viewer)) }
        self.restart = restart
        fold = NoticeFold(status.notices, restart)
        self.note = note
        self.copies = copies
        saved = [favourites].compactMap(\.self) + searches
        self.furtherPages = furtherPages
        theme = settings.chosenTheme
        zone = settings.zone
    }

    /// This frame around the page of this title, in this part of the dashboard.
    func titled(_ title: String, in menu: MenuItem?) -> PageFrame {
        var frame = self
        let prefix = banner.map { "\($0.text): " } ?? ""
        frame.title = "\(prefix)\(title) · \(fileName) · Flagboard"
        // Of the list and a part of it, the part is the page that is shown.
        let isPart =
            menu?.href == PageLink.flags && saved.contains { $0.isCurrent && $0.href == NavigationItem.favouritesHref }
        let current = isPart ? nil : menu?.href
        frame.navigation = navigation.map {
            NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current)
        }
        frame.visitor = visitor?.marking(menu?.href)
        return frame
    }

    /// This frame with one more thing to say at the top of the page; `nil` for nothing more.
    func adding(_ notice: PageNotice?) -> PageFrame {
        var frame = self
        if let notice { frame.notices.append(notice) }
        frame.fold = NoticeFold(frame.notices, restart)
        return frame
    }
}

extension CatalogueView {
    /// The pages that the viewer may see and no menu leads to.
    var furtherPages: [TextLink] {
        let viewer = MenuViewer(
            providers: catalogue.providers, visitor: visitor, hasWebhooks: false,
            canDefine: DefinitionLink.canDefine(self))
        return Feature.furtherPages.filter { $0.isShown(viewer) }.map { TextLink(label: $0.label, href: $0.href) }
    }
}

/// A link to a part of the dashboard.
struct NavigationItem: Hashable, PagePart {
    let label: String
    let href: String
    let isCurrent: Bool

    /// The list of the viewer's favourites.
    static let favouritesHref = FlagFilter(marks: [.favourite]).href
}

extension NavigationItem {
    /// The links of a menu that a viewer sees.
    static func all(of menu: [MenuItem], for viewer: MenuViewer) -> [NavigationItem] {
        menu.filter { $0.isShown(viewer) }.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: false) }
    }
}

/// A provider in words.
struct ProviderLabel: Hashable, PagePart {
    let name: String
    let description: String
    let access: String

    init(_ provider: ProviderSummary, _ status: ServiceStatus) {
        name = provider.name
        description = provider.description
        access =
            if status.unreadable.contains(provider.name) {
                "can’t be read"
            } else if status.unwritable.contains(provider.name) {
                "can’t be written"
            } else {
                provider.isWritable ? "writable" : "read-only"
            }
    }
}

/// What the notices of a page come to in one line, which unfolds where there is little room.
struct NoticeFold: Hashable, PagePart {
    /// How it is coloured: as the gravest notice is.
    let style: String
    /// What that notice is about.
    let heading: String
    /// How many more there are.
    let more: String?

    /// Sums notices up.
    init?(_ notices: [PageNotice], _ restart: RestartBanner?) {
        let all = notices.map { ($0.style, $0.heading) } + (restart.map { [("warning", $0.heading + ".")] } ?? [])
        guard
            let gravest = all.first(where: { $0.0 == "error" }) ?? all.first(where: { $0.0 == "warning" }) ?? all.first
        else { return nil }
        (style, heading) = gravest
        more = all.count > 1 ? "and \(all.count - 1) more" : nil
    }
}

/// Who looks at a page, in words.
struct VisitorLabel: Hashable, PagePart {
    let name: String
    let role: String
    /// The pages beside the name that the viewer may see: who is let in, webhooks, the viewer's own settings.
    private(set) var links: [NavigationItem]
    let canSignOut: Bool

    /// Puts it in words.
    init(_ visitor: Visitor, _ links: [NavigationItem]) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        self.links = links
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }

    /// This label on the page of a link.
    func marking(_ current: String?) -> VisitorLabel {
        var label = self
        label.links = links.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current) }
        return label
    }
}
