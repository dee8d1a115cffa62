import FlagHistory

/// What parts the changes that came since the last visit from those that were there before.
struct SeenLine: Hashable, PagePart {
    /// When the last visit ended.
    let time: TimeText

    /// Finds where a page has the line; `nil` where all of it is new, or nothing is.
    ///
    /// - Returns: The line, and the newest change that was there on the last visit, above which it stands.
    static func first(of page: HistoryPage, in view: CatalogueView?) -> (line: SeenLine, change: Int64)? {
        guard let visit = view?.memory.lastVisit, let newest = page.records.first, newest.id > visit.row,
            let seen = page.records.first(where: { $0.id <= visit.row })
        else { return nil }
        return (SeenLine(time: TimeText(visit.at)), seen.id)
    }
}

/// The link that narrows the history to what came since the last visit, or widens it again.
struct SinceVisit: Hashable, PagePart {
    let href: String
    let isCurrent: Bool

    /// Makes the link; `nil` where no last visit is known.
    init?(_ filter: HistoryFilter, in view: CatalogueView?) {
        guard view?.memory.lastVisit != nil else { return nil }
        isCurrent = filter.since == HistoryFilter.visit
        href = filter.href(replacing: ["since": isCurrent ? "" : HistoryFilter.visit])
    }
}
