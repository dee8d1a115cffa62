import FlagChanges

/// The advice in an empty list: how to begin, or which criterion to drop.
struct EmptyList: Hashable, PagePart {
    let heading: String
    let advice: String
    /// Criteria that leave flags when dropped.
    let drops: [ActiveCriterion]
    let link: TextLink?
    let start: Start?

    /// Code to copy.
    struct Start: Hashable, PagePart {
        let fileName: String
        let plist: String
        let swift: String
    }

    /// For a file without flags; `newFlagHref` is `nil` if this viewer can't define flags.
    init(fileName: String, newFlagHref: String?) {
        heading = "No flags yet"
        let way = newFlagHref == nil ? "" : " You can define one here, or begin with one of these:"
        advice = "A flag appears here as soon as \(fileName) holds a value for it or the manifest defines it.\(way)"
        drops = []
        link = newFlagHref.map { TextLink(label: "Define the first flag", href: $0) }
        start = Start(fileName: fileName, plist: Self.plist, swift: Self.swift)
    }

    init(_ filter: FlagFilter, _ criteria: [ActiveCriterion], all: Int) {
        let useful = criteria.filter { $0.countText != FlagListWords.count(0) }
        heading = "No flag matches"
        advice =
            filter.hasText && criteria.count == 1
            ? FlagListWords.searchAdvice
            : "Each criterion must hold. \(useful.isEmpty ? "No single one is to blame." : "Drop one of them:")"
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
