import FlagChanges
import FlagHistory

struct LookPanel: Hashable, PagePart {
    let items: [Item]

    struct Item: Hashable, PagePart {
        /// For the style sheet.
        let name: String
        /// For example `2 broken`.
        let label: String
        let href: String
        let advice: String
        let deed: Deed?
        let more: TextLink?
    }

    struct Deed: Hashable, PagePart {
        let label: String
        let action: String
        let query: String
        let back: String
    }

    /// `nil` if no flag needs attention.
    init?(_ marks: [FlagFilter.Mark: Int], in view: CatalogueView) {
        items = Matter.allCases.compactMap { matter in
            guard let count = marks[matter.mark] else { return nil }
            // Expired flags are stale, too.
            if matter == .stale, count == marks[.expired] { return nil }
            let filter = FlagFilter(marks: [matter.mark])
            let changed = matter.changed
            let isOffered = view.canSelect && (changed == filter || !changed.entries(of: view).isEmpty)
            let deed = isOffered ? matter.deed : nil
            return Item(
                name: matter.mark.rawValue, label: "\(count) \(matter.words)", href: filter.href, advice: matter.advice,
                deed: deed.map {
                    Deed(
                        label: "\($0.label)…", action: $0.action.rawValue,
                        query: String(changed.href.drop { $0 != "?" }.dropFirst()),
                        back: PageLink.flags)
                }, more: matter.more)
        }
        if items.isEmpty { return nil }
    }

    /// Gravest first; what waits for a restart of the app has a banner on every page.
    private enum Matter: CaseIterable {
        case broken, edited, expired, expiring, stale, undefined

        var mark: FlagFilter.Mark {
            switch self {
            case .broken: .broken
            case .edited: .edited
            case .expired: .expired
            case .expiring: .expiring
            case .stale: .stale
            case .undefined: .undefined
            }
        }

        var words: String {
            switch self {
            case .broken: "broken"
            case .edited: "edited externally since your last visit"
            case .expired: "expired"
            case .expiring: "expiring within 30 days"
            case .stale: "stale"
            case .undefined: "without a definition"
            }
        }

        var advice: String {
            switch self {
            case .broken: "The stored value doesn’t match the flag’s type and is ignored. Fix or reset it."
            case .edited: "Changed outside Flagboard. Review the edits in the history."
            case .expired: "Past its expiry date. Remove it from your code, then delete it here."
            case .expiring: "Expires soon. Plan its removal."
            case .stale: "Overridden and unchanged for 180 days. Make the value the default, or remove the flag."
            case .undefined: "Has a value but no definition. Define it or reset it."
            }
        }

        /// The flags to change; of expired and stale ones, only those with a value.
        var changed: FlagFilter {
            FlagFilter(
                [.expired, .stale].contains(self) ? [.state: FlagFilter.State.overridden.rawValue] : [:],
                marks: [mark])
        }

        var deed: (label: String, action: SelectionAction)? {
            switch self {
            case .broken, .expired, .stale, .undefined: ("Reset", .reset)
            case .expiring, .edited: nil
            }
        }

        var more: TextLink? {
            guard self == .edited else { return nil }
            let items = [("origin", HistoryRecord.Origin.external.rawValue), ("since", HistoryFilter.visit)]
            return TextLink(label: "View edits", href: PageLink.history + PageLink.query(items))
        }
    }
}
