import FeatureFlags
import FlagChanges

/// What stands around every page: title, navigation, the file, and what holds for all of it.
struct PageFrame: Sendable {
    /// The parts of the dashboard that the navigation leads to.
    enum Section: CaseIterable, Sendable {
        case flags, history, export
    }

    /// The page's title, in the browser's tab.
    private(set) var title: String
    /// The links to the parts of the dashboard.
    private(set) var navigation: [NavigationItem]
    /// The name of the values file.
    let fileName: String
    /// Why nothing can be changed; `nil` where changes are possible.
    let readOnlyReason: String?
    /// What else to say at the top of the page.
    let notices: [String]
    /// The providers, in order of precedence.
    let providers: [ProviderLabel]

    /// Makes the frame of any page.
    ///
    /// - Parameters:
    ///   - fileName: The name of the values file.
    ///   - providers: In order of precedence.
    ///   - readOnlyReason: A sentence why nothing can be changed; `nil` where changes are possible.
    ///   - notices: Sentences to show at the top.
    init(fileName: String, providers: [ProviderSummary], readOnlyReason: String? = nil, notices: [String] = []) {
        self.title = "Flagboard"
        self.navigation = NavigationItem.all(current: nil)
        self.fileName = fileName
        self.readOnlyReason = readOnlyReason
        self.notices = notices
        self.providers = providers.map(ProviderLabel.init)
    }

    /// This frame around the page of this title, in this part of the dashboard.
    func titled(_ title: String, in section: Section?) -> PageFrame {
        var frame = self
        frame.title = "\(title) · \(fileName) · Flagboard"
        frame.navigation = NavigationItem.all(current: section)
        return frame
    }
}

/// A link to a part of the dashboard.
struct NavigationItem: Hashable, Sendable {
    let label: String
    let href: String
    let isCurrent: Bool

    static func all(current: PageFrame.Section?) -> [NavigationItem] {
        PageFrame.Section.allCases.map { section in
            let (label, href) =
                switch section {
                case .flags: ("Flags", PageLink.flags)
                case .history: ("History", PageLink.history)
                case .export: ("Export", PageLink.export)
                }
            return NavigationItem(label: label, href: href, isCurrent: section == current)
        }
    }
}

/// A provider in words.
struct ProviderLabel: Hashable, Sendable {
    let name: String
    let description: String
    let access: String

    init(_ provider: ProviderSummary) {
        name = provider.name
        description = provider.description
        access = provider.isWritable ? "writable" : "read-only"
    }
}
