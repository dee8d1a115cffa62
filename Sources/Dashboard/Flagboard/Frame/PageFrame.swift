import FeatureFlags
import FlagChanges
import Foundation

struct PageFrame: PagePart {
    private(set) var title: String
    private(set) var navigation: [NavigationItem]
    /// The links of the person's menu.
    private(set) var menu: [NavigationItem]
    let scripts = Feature.allScripts
    let fileName: String
    private(set) var notices: [PageNotice]
    /// Replaces the notices in narrow windows.
    private(set) var fold: NoticeFold?
    /// Providers that reads consult, in order of precedence.
    let sources: [ProviderLabel]
    /// Other environments, which reads don't consult.
    let elsewhere: [ProviderLabel]
    /// The providers of connected apps.
    let inApps: [ProviderLabel]
    let visitor: VisitorLabel?
    let banner: EnvironmentBanner?
    /// The last history row on the page; a script follows later changes.
    let lastRow: Int64?
    /// A ``StatusFingerprint`` for a script.
    let mark: String?
    let restart: RestartBanner?
    let note: FlashNote?
    let ownChange: OwnChange?
    /// Pages that the header doesn't link to, and saved searches, for the palette.
    let furtherPages: [TextLink]
    /// `nil` for an answer without an address.
    let copies: PageCopies?
    /// `light` or `dark`; `nil` for the system's.
    let theme: String?
    /// `nil` for the browser's.
    let zone: String?

    init(
        fileName: String, providers: [ProviderSummary], status: ServiceStatus = .clear, visitor: Visitor? = nil,
        hasWebhooks: Bool = false,
        banner: EnvironmentBanner? = nil, lastRow: Int64? = nil, mark: StatusFingerprint? = nil,
        restart: RestartBanner? = nil, note: FlashNote? = nil, settings: ViewerSettings = ViewerSettings(),
        copies: PageCopies? = nil, ownChange: OwnChange? = nil, furtherPages: [TextLink] = []
    ) {
        self.title = "Flagboard"
        self.banner = banner
        self.lastRow = lastRow
        self.mark = mark?.text
        let viewer = MenuViewer(providers: providers, visitor: visitor, hasWebhooks: hasWebhooks)
        navigation = NavigationItem.all(of: Feature.navigation, for: viewer)
        menu = NavigationItem.all(of: Feature.menu, for: viewer)
        self.ownChange = ownChange
        self.fileName = fileName
        self.notices = status.notices
        sources = providers.filter(\.isAsked).map { ProviderLabel($0, status) }
        elsewhere = providers.filter { !$0.isAsked && $0.isFile }.map { ProviderLabel($0, status) }
        inApps = providers.filter { $0.connectedApp != nil }.map { ProviderLabel($0, status) }
        self.visitor = visitor.map(VisitorLabel.init)
        self.restart = restart
        fold = NoticeFold(status.notices, restart)
        self.note = note
        self.copies = copies
        self.furtherPages = furtherPages
        theme = settings.chosenTheme
        zone = settings.zone
    }

    func titled(_ title: String, in menu: MenuItem?) -> PageFrame {
        var frame = self
        let prefix = banner.map { "\($0.text): " } ?? ""
        frame.title = "\(prefix)\(title) · \(fileName) · Flagboard"
        frame.navigation = NavigationItem.marking(menu?.href, in: navigation)
        frame.menu = NavigationItem.marking(menu?.href, in: self.menu)
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
}

extension NavigationItem {
    static func all(of menu: [MenuItem], for viewer: MenuViewer) -> [NavigationItem] {
        menu.filter { $0.isShown(viewer) }.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: false) }
    }

    static func marking(_ current: String?, in items: [NavigationItem]) -> [NavigationItem] {
        items.map { NavigationItem(label: $0.label, href: $0.href, isCurrent: $0.href == current) }
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
        (style, heading) = (gravest.0, gravest.1.trimmingCharacters(in: [".", ":"]))
        more = all.count > 1 ? "· \(all.count - 1) more" : nil
    }
}

struct VisitorLabel: Hashable, PagePart {
    let name: String
    /// The first character of the name, in capitals.
    let initial: String
    let role: String
    let canSignOut: Bool

    init(_ visitor: Visitor) {
        name = visitor.person.name
        initial = name.prefix(1).uppercased()
        role = visitor.person.role.rawValue
        if case .session = visitor.proof { canSignOut = true } else { canSignOut = false }
    }
}
