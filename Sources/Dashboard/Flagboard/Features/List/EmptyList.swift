import FlagChanges

/// The advice in an empty list: how to begin, or which criterion to drop.
struct EmptyList: Hashable, PagePart {
    let heading: String
    let advice: String
    /// Criteria that leave flags when dropped.
    let drops: [ActiveCriterion]
    let link: TextLink?
    let start: Start?

    struct Start: Hashable, PagePart {
        let fileName: String
        let plist: String
        let swift: String
    }

    /// For a file without flags; `newFlagHref` is `nil` if this viewer can't define flags.
    init(fileName: String, newFlagHref: String?) {
        heading = "No flags yet"
        advice =
            newFlagHref == nil
            ? "Flags appear here once \(fileName) has a value or the manifest has a definition."
            : "Create your first flag here, add a value to \(fileName), or declare one in Swift."
        drops = []
        link = newFlagHref.map { TextLink(label: "Create flag", href: $0) }
        start = Start(fileName: fileName, plist: Self.plist, swift: Self.swift)
    }

    init(_ filter: FlagFilter, _ criteria: [ActiveCriterion], all: Int) {
        let useful = criteria.filter { $0.countText != FlagListWords.count(0) }
        let isSearch = filter.hasText && criteria.count == 1
        let isFavourites = filter.closed.href == FlagFilter(marks: [.favourite]).href
        heading =
            if isFavourites {
                "No favourites yet"
            } else {
                isSearch ? "No flags match “\(filter.text)”" : "No flags match all filters"
            }
        advice =
            if isFavourites {
                "Open a flag and select Add to favourites."
            } else if isSearch {
                FlagListWords.searchAdvice
            } else {
                useful.isEmpty ? "Clear the filters to see all flags." : "Remove one:"
            }
        drops = criteria.count > 1 ? useful : []
        link = TextLink(label: "Show all \(FlagListWords.count(all))", href: PageLink.flags)
        start = nil
    }

    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>guest_checkout</key>
            <true/>
        </dict>
        </plist>
        """

    private static let swift = """
        import FeatureFlags
        import FeatureFlagsXML
        import Foundation

        struct ShopFlags: FlagCollectionProtocol {
            @Flag(default: false, description: "Orders without an account")
            var guestCheckout: Bool
        }

        let local = LocalProvider(localURL: URL(fileURLWithPath: "flags.xml"))
        let manager = FlagsManager(providers: [local])
        let flags = manager.addCollection(ShopFlags.self)
        try manager.writeManifest(to: URL(fileURLWithPath: "flags.manifest.xml"))
        """
}
