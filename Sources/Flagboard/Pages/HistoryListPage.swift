import FeatureFlags
import FlagHistory

/// The history: filters and a page of changes, newest first.
struct HistoryListPage: PageModel {
    static let template = "history"

    let frame: PageFrame
    let countText: String
    let search: String
    let key: String
    let actor: String
    let from: String
    /// `date` for a day, `text` for anything that a date field can't hold.
    let fromType: String
    let to: String
    let toType: String
    let kinds: [ChoiceOption]
    let origins: [ChoiceOption]
    let isFiltered: Bool
    let resetHref: String
    let filterProblems: [String]
    let hasRows: Bool
    let rows: [HistoryRow]
    let newerHref: String?
    let olderHref: String?
    let hasPages: Bool
    let empty: EmptyState?

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - page: The changes; `nil` where the filter is not valid.
    ///   - filter: What was asked for.
    init(frame: PageFrame, page: HistoryPage?, filter: HistoryFilter) {
        let records = page?.records ?? []
        self.frame = frame.titled("History", in: .history)
        countText = page.map { $0.total == 1 ? "1 change" : "\($0.total) changes" } ?? "Nothing listed"
        search = filter.text
        key = filter.key
        actor = filter.actor
        from = filter.from
        fromType = Self.fieldType(filter.from)
        to = filter.to
        toType = Self.fieldType(filter.to)
        kinds = Self.options(HistoryRecord.Kind.allCases.map { ($0.rawValue, $0.label) }, filter.kind)
        origins = Self.options(HistoryRecord.Origin.allCases.map { ($0.rawValue, $0.label) }, filter.origin)
        isFiltered = filter.isActive
        resetHref = PageLink.history
        filterProblems = filter.problems
        hasRows = !records.isEmpty
        rows = records.map(HistoryRow.init)
        newerHref = page?.hasNewer == true ? records.first.map { filter.href(after: $0.id) } : nil
        olderHref = page?.hasOlder == true ? records.last.map { filter.href(before: $0.id) } : nil
        hasPages = newerHref != nil || olderHref != nil
        empty = page.flatMap { Self.empty($0, filter) }
    }

    private static func fieldType(_ text: String) -> String {
        text.isEmpty || HistoryFilter.isDay(text) ? "date" : "text"
    }

    private static func options(_ values: [(String, String)], _ selected: String) -> [ChoiceOption] {
        let isKnown = selected.isEmpty || values.contains { $0.0 == selected }
        return (values + (isKnown ? [] : [(selected, selected)]))
            .map { ChoiceOption(value: $0.0, label: $0.1, isSelected: $0.0 == selected) }
    }

    /// Where a field found nothing because it was not written exactly, the search may.
    private static func wider(_ filter: HistoryFilter) -> TextLink {
        let words = filter.key.isEmpty ? filter.actor : filter.key
        guard filter.text.isEmpty, !words.isEmpty else {
            return TextLink(label: "Show all changes", href: PageLink.history)
        }
        return TextLink(
            label: "Search all changes for \(ShownValue(.string(words)).inSentence)",
            href: PageLink.history + PageLink.query([("q", words)]))
    }

    private static func empty(_ page: HistoryPage, _ filter: HistoryFilter) -> EmptyState? {
        guard page.records.isEmpty else { return nil }
        if filter.isActive {
            return EmptyState(
                heading: "No change matches",
                advice: "Every field that is filled must hold. A key path is that of one flag and an actor’s name is "
                    + "whole, both written exactly; the search finds parts of both. Dates are in UTC.",
                link: wider(filter))
        }
        if page.total > 0 {
            return EmptyState(
                heading: "No more changes", advice: "There is nothing on this side of the list.",
                link: TextLink(label: "Show the newest changes", href: PageLink.history))
        }
        return EmptyState(
            heading: "No changes yet",
            advice: "Every change appears here with who made it, when and why, also one made outside of Flagboard.",
            link: TextLink(label: "Show the flags", href: PageLink.flags))
    }
}
