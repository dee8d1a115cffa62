import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct HistoryListPage: PageModel {
    static let template = "history"

    let frame: PageFrame
    /// Consumers of the history; empty except for admins.
    let followers: [FollowerRow]
    let countText: String
    let search: String
    let key: String
    let group: String
    let batch: String?
    let revertAll: RevertAll?
    let actor: String
    let from: String
    /// `text` if a date field can't hold it.
    let fromType: String
    let to: String
    let toType: String
    /// The label; the form value is `nil` for UTC.
    let zoneName: String
    let zone: String?
    let since: String?
    /// `nil` if no previous visit is known.
    let sinceVisit: SinceVisit?
    let periods: [PeriodLink]
    let kinds: [ChoiceOption]
    let origins: [ChoiceOption]
    let criteria: [HistoryCriterion]
    let isUnfolded: Bool
    let isFiltered: Bool
    let resetHref: String
    let filterProblems: [String]
    let hasRows: Bool
    let days: [HistoryDay]
    /// The search ended early.
    let lookedNote: String?
    let chart: DayChart?
    let actors: [FacetLink]
    let exports: [TextLink]
    let newerHref: String?
    let olderHref: String?
    let hasPages: Bool
    let empty: EmptyState?

    /// `page` is `nil` if the filter is invalid; without a `view`, nothing can be reverted.
    init(
        frame: PageFrame, page: HistoryPage?, filter: HistoryFilter, summary: HistorySummary? = nil, now: Date,
        view: CatalogueView? = nil, notes: [HistoryRecord.ID: [HistoryRecord]] = [:], revertAll: RevertAll? = nil,
        followers: [FollowerLag] = []
    ) {
        self.followers = followers.map(FollowerRow.init)
        let records = page?.records ?? []
        self.frame = frame.titled("History", in: .history)
        countText = page.map { ShownCount.changes($0) } ?? "No results"
        search = filter.text
        key = filter.key
        group = filter.group
        batch = filter.batch.isEmpty ? nil : filter.batch
        self.revertAll = revertAll
        actor = filter.actor
        from = filter.from
        fromType = Self.fieldType(filter.from)
        to = filter.to
        toType = Self.fieldType(filter.to)
        let zone = filter.zone.isEmpty && !filter.isDated ? PageZone.current : DayReader.zone(filter.zone) ?? .gmt
        zoneName = PageZone.isUTC(zone) ? "UTC" : zone.identifier
        self.zone = PageZone.isUTC(zone) ? nil : zone.identifier
        since = filter.since.isEmpty ? nil : filter.since
        sinceVisit = SinceVisit(filter, in: view)
        periods = PeriodLink.all(filter, now: now)
        kinds = Self.options(HistoryRecord.Kind.allCases.map { ($0.rawValue, $0.label) }, filter.kind)
        origins = Self.options(HistoryRecord.Origin.allCases.map { ($0.rawValue, $0.label) }, filter.origin)
        criteria = filter.criteria
        isUnfolded = !filter.problems.isEmpty
        isFiltered = filter.isActive
        resetHref = PageLink.history
        filterProblems = (filter.problems + filter.leftOut).map(\.uppercasedFirst)
        hasRows = !records.isEmpty
        days =
            page.map {
                HistoryDay.days(
                    of: $0, now: now, isOneBatch: !filter.batch.isEmpty, opensBatches: filter.isAboutRows, notes: notes,
                    in: view)
            }
            ?? []
        lookedNote = page.flatMap(Self.lookedNote)
        chart = summary.flatMap { DayChart($0, filter, now: now) }
        let actors = summary.map { Self.actors($0, filter) } ?? []
        self.actors = actors
        exports =
            page == nil
            ? []
            : [("CSV", Route.historyCSV.path), ("JSONL", Route.historyJSONLines.path)].map {
                TextLink(label: $0.0, href: filter.exportHref($0.1))
            }
        newerHref = page?.newerThan.map { filter.href(after: $0) }
        olderHref = page?.olderThan.map { filter.href(before: $0) }
        hasPages = newerHref != nil || olderHref != nil
        empty = page.flatMap { Self.empty($0, filter) }
    }

    private static let mostActors = 12

    private static func actors(_ summary: HistorySummary, _ filter: HistoryFilter) -> [FacetLink] {
        guard summary.actors.count > 1 || !filter.actor.isEmpty else { return [] }
        return summary.actors.prefix(mostActors).map { actor in
            let isCurrent = actor.name == filter.actor
            return FacetLink(
                label: actor.name == HistoryEvent.unknownActor ? HistoryEvent.externalName : actor.name,
                count: actor.count,
                href: filter.href(replacing: ["actor": isCurrent ? "" : actor.name]),
                isCurrent: isCurrent)
        }
    }

    private static func fieldType(_ text: String) -> String {
        text.isEmpty || DayReader.isDay(text) ? "date" : "text"
    }

    private static func options(_ values: [(String, String)], _ selected: String) -> [ChoiceOption] {
        let isKnown = selected.isEmpty || values.contains { $0.0 == selected }
        return (values + (isKnown ? [] : [(selected, selected)]))
            .map { ChoiceOption(value: $0.0, label: $0.1, isSelected: $0.0 == selected) }
    }

    /// Searches for words that failed as an exact match.
    private static func wider(_ filter: HistoryFilter) -> TextLink {
        let words = filter.key.isEmpty ? filter.actor : filter.key
        guard filter.text.isEmpty, !words.isEmpty else {
            return TextLink(label: "Show all changes", href: PageLink.history)
        }
        return TextLink(
            label: "Search all changes for \(ShownValue(.string(words)).inSentence)",
            href: PageLink.history + PageLink.query([("q", words)]))
    }

    private static func lookedNote(_ page: HistoryPage) -> String? {
        if let row = page.lookedUpTo {
            return "Searched changes from number \(row) on. Older ones are on the next pages."
        }
        return page.lookedBackTo.map {
            "Searched changes up to number \($0). Newer ones are on the previous pages."
        }
    }

    private static func empty(_ page: HistoryPage, _ filter: HistoryFilter) -> EmptyState? {
        guard page.records.isEmpty else { return nil }
        if let older = page.olderThan, page.lookedUpTo != nil {
            return EmptyState(
                heading: "No results so far",
                advice: "Only the newer changes were searched.",
                link: TextLink(label: "Search older changes", href: filter.href(before: older)))
        }
        if let newer = page.newerThan, page.lookedBackTo != nil {
            return EmptyState(
                heading: "No results so far",
                advice: "Only the older changes were searched.",
                link: TextLink(label: "Search newer changes", href: filter.href(after: newer)))
        }
        if filter.isActive {
            return EmptyState(
                heading: "No changes match these filters",
                advice: "Flag, group and actor must match exactly. The search also finds partial matches.",
                link: wider(filter))
        }
        if page.total > 0 {
            return EmptyState(
                heading: "End of history", advice: "This page has no changes.",
                link: TextLink(label: "Show latest changes", href: PageLink.history))
        }
        return EmptyState(
            heading: "No changes yet",
            advice: "Changes appear here, including edits made outside Flagboard.",
            link: TextLink(label: "All flags", href: PageLink.flags))
    }
}

/// A consumer of the history.
struct FollowerRow: Hashable, PagePart {
    let name: String
    let state: String
    /// The reason for the lag; only for those who may know.
    let problem: String?

    init(_ lag: FollowerLag) {
        name = lag.name
        problem = lag.problem?.text.asSentence
        state =
            switch lag.behind {
            case nil: lag.isFailing ? "unreachable" : "checking"
            case 0?: "up to date"
            case 1?: "1 change behind"
            case let rows?: "\(rows) changes behind"
            }
    }
}

struct HistoryCriterion: Hashable, PagePart {
    /// For example `Actor`.
    let title: String
    let label: String
    let href: String
}

/// The line between the changes since the previous visit and the older ones.
struct SeenLine: Hashable, PagePart {
    let time: TimeText

    /// Returns the line and the change below it, or `nil` if the page has only new or only older changes.
    static func first(of page: HistoryPage, in view: CatalogueView?) -> (line: SeenLine, change: Int64)? {
        guard let visit = view?.memory.lastVisit, let newest = page.records.first, newest.id > visit.row,
            let seen = page.records.first(where: { $0.id <= visit.row })
        else { return nil }
        return (SeenLine(time: TimeText(visit.at)), seen.id)
    }
}

/// The link to the changes since the previous visit, or back to all.
struct SinceVisit: Hashable, PagePart {
    let href: String
    let isCurrent: Bool

    init?(_ filter: HistoryFilter, in view: CatalogueView?) {
        guard view?.memory.lastVisit != nil else { return nil }
        isCurrent = filter.since == HistoryFilter.visit
        href = filter.href(replacing: ["since": isCurrent ? "" : HistoryFilter.visit])
    }
}

/// A link to the changes of the last days, or back to all.
struct PeriodLink: Hashable, PagePart {
    let label: String
    let href: String
    let isCurrent: Bool

    /// The periods, each with its days before today.
    private static let periods = [("Today", 0), ("7 days", 6), ("30 days", 29)]

    /// Returns the links, whose days are those of the page's time zone.
    static func all(_ filter: HistoryFilter, now: Date, in zone: TimeZone = PageZone.current) -> [PeriodLink] {
        let zoneName = PageZone.isUTC(zone) ? "" : zone.identifier
        return periods.map { label, days in
            let start = TimeBins.calendar(zone).date(byAdding: .day, value: -days, to: now) ?? now
            let day = TimeBins.day(start, in: zone)
            let isCurrent = filter.from == day && filter.to.isEmpty && filter.zone == zoneName
            return PeriodLink(
                label: label,
                href: filter.href(
                    replacing: isCurrent
                        ? ["from": "", "zone": ""] : ["from": day, "to": "", "zone": zoneName]),
                isCurrent: isCurrent)
        }
    }
}
