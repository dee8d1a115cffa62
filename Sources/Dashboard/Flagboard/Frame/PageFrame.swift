import FeatureFlags
import FlagChanges

/// The frame of every page: title, navigation, file and notices.
struct PageFrame: PagePart {
    private(set) var title: String
    private(set) var navigation: [NavigationItem]
    let styles = Feature.allStyles
    let scripts = Feature.allScripts
    let fileName: String
    private(set) var notices: [PageNotice]
    /// A summary of the notices for narrow windows.
    private(set) var fold: NoticeFold?
    /// Providers that reads consult, in order of precedence.
    let sources: [ProviderLabel]
    /// Other environments, which reads don't consult.
    let elsewhere: [ProviderLabel]
    /// The providers of connected apps.
    let inApps: [ProviderLabel]
    let localName: String
    private(set) var visitor: VisitorLabel?
    let banner: EnvironmentBanner?
    /// The last history row on the page, from which a script follows changes.
    let lastRow: Int64?
    /// The page's ``StatusFingerprint`` for a script; `nil` without one.
    let mark: String?
    let restart: RestartBanner?
    let note: String?
    let ownChange: OwnChange?
    /// The viewer's favourites and the named searches.
    let saved: [NavigationItem]
    /// Pages that no menu links to, for the search field of pages.
    let furtherPages: [TextLink]
    /// Copyable forms of the page; `nil` for an answer without an address.
    let copies: PageCopies?
    /// The chosen theme, `light` or `dark`; `nil` for the system's.
    let theme: String?
    /// The chosen time zone; `nil` for the browser's.
    let zone: String?

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
        elsewhere = providers.filter { !$0.isAsked && $0.isFile }.map { ProviderLabel($0, status) }
        inApps = providers.filter { $0.connectedApp != nil }.map { ProviderLabel($0, status) }
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

    /// Returns the frame for a page with a title, in a part of the dashboard.
    func titled(_ title: String, in menu: MenuItem?) -> PageFrame {
        var frame = self
        let prefix = banner.map { "\($0.text): " } ?? ""
        frame.title = "\(prefix)\(title) · \(fileName) · Flagboard"
        // The favourites are part of the list; mark only them as current.
        let isPart =
            menu?.href == PageLink.flags && saved.contains { $0.isCurrent && $0.href == NavigationItem.favouritesHref }
        let current = isPart ? nil : menu?.href
        frame.navigation = navigation.map {
            NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current)
        }
        frame.visitor = visitor?.marking(menu?.href)
        return frame
    }

    func adding(_ notice: PageNotice?) -> PageFrame {
        var frame = self
        if let notice { frame.notices.append(notice) }
        frame.fold = NoticeFold(frame.notices, restart)
        return frame
    }
}

extension CatalogueView {
    var furtherPages: [TextLink] {
        let viewer = MenuViewer(
            providers: catalogue.providers, visitor: visitor, hasWebhooks: false,
            canDefine: DefinitionLink.canDefine(self))
        return Feature.furtherPages.filter { $0.isShown(viewer) }.map { TextLink(label: $0.label, href: $0.href) }
    }
}

struct NavigationItem: Hashable, PagePart {
    let label: String
    let href: String
    let isCurrent: Bool

    static let favouritesHref = FlagFilter(marks: [.favourite]).href
}

extension NavigationItem {
    static func all(of menu: [MenuItem], for viewer: MenuViewer) -> [NavigationItem] {
        menu.filter { $0.isShown(viewer) }.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: false) }
    }
}

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

/// A one-line summary of the notices, which unfolds in narrow windows.
struct NoticeFold: Hashable, PagePart {
    let style: String
    let heading: String
    let more: String?

    init?(_ notices: [PageNotice], _ restart: RestartBanner?) {
        let all = notices.map { ($0.style, $0.heading) } + (restart.map { [("warning", $0.heading + ".")] } ?? [])
        guard
            let gravest = all.first(where: { $0.0 == "error" }) ?? all.first(where: { $0.0 == "warning" }) ?? all.first
        else { return nil }
        (style, heading) = gravest
        more = all.count > 1 ? "and \(all.count - 1) more" : nil
    }
}

struct VisitorLabel: Hashable, PagePart {
    let name: String
    let role: String
    /// Links beside the name: access, webhooks, settings.
    private(set) var links: [NavigationItem]
    let canSignOut: Bool

    init(_ visitor: Visitor, _ links: [NavigationItem]) {
        name = visitor.person.name
        role = visitor.person.role.rawValue
        self.links = links
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }

    func marking(_ current: String?) -> VisitorLabel {
        var label = self
        label.links = links.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current) }
        return label
    }
}
