import FlagChanges
import FlagHistory

/// The flags that need attention, by reason.
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
        /// The newest change to report as applied by a restart; only for flags that wait for one.
        let restartRow: String?
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
            let restartRow = matter == .waiting ? RestartBanner(view)?.row : nil
            let advice = restartRow == nil ? matter.advice : "\(matter.advice) Then report that here."
            return Item(
                name: matter.mark.rawValue, label: "\(count) \(matter.words)", href: filter.href, advice: advice,
                deed: deed.map {
                    Deed(
                        label: count == 1 ? "\($0.label) it…" : "\($0.label) them…", action: $0.action.rawValue,
                        query: String(changed.href.drop { $0 != "?" }.dropFirst()),
                        back: PageLink.flags)
                }, more: matter.more, restartRow: restartRow)
        }
        if items.isEmpty { return nil }
    }

    /// Gravest first.
    private enum Matter: CaseIterable {
        case broken, edited, waiting, expired, expiring, stale, undefined

        var mark: FlagFilter.Mark {
            switch self {
            case .broken: .broken
            case .edited: .edited
            case .waiting: .waiting
            case .expired: .expired
            case .expiring: .expiring
            case .stale: .stale
            case .undefined: .undefined
            }
        }

        var words: String {
            switch self {
            case .broken: "broken"
            case .edited: "edited outside since your last visit"
            case .waiting: "waiting for a restart"
            case .expired: "expired"
            case .expiring: "expiring within 30 days"
            case .stale: "stale"
            case .undefined: "not defined"
            }
        }

        var advice: String {
            switch self {
            case .broken:
                "A source holds something that is no value of the flag, and is passed over. Correct or reset it."
            case .edited:
                "Another program edited a file of the flags. The history says what it did; revert what should not be."
            case .waiting:
                "The app still has the value that it read when it started. Restart it."
            case .expired:
                "The day has passed on which the flag should be gone. Reset it where it is set; remove it from the code, then "
                    + "here."
            case .expiring: "The flag should be gone soon. Remove it from the code by then."
            case .stale:
                "Expired, or set and not changed for 180 days or more. Make its value the default and reset it, or remove the "
                    + "flag."
            case .undefined: "A source holds a value, but no definition says what it is for. Define it, or reset it."
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
            case .expiring, .edited, .waiting: nil
            }
        }

        var more: TextLink? {
            guard self == .edited else { return nil }
            let items = [("origin", HistoryRecord.Origin.external.rawValue), ("since", HistoryFilter.visit)]
            return TextLink(label: "Show the edits", href: PageLink.history + PageLink.query(items))
        }
    }
}
