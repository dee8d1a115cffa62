import Foundation

struct SearchesPage: PageModel {
    static let template = "searches"

    let frame: PageFrame
    let searches: [SearchRow]
    let mayChange: Bool
    /// `nil` without a search to save, or if the viewer may not save it.
    let form: SearchForm?
    /// `nil` while a search is being saved.
    let empty: EmptyState?

    init(frame: PageFrame, searches: [SavedSearch], mayChange: Bool, form: SearchForm? = nil) {
        let title = "Saved searches"
        self.frame = frame.titled(form?.problem == nil ? title : "Not saved: \(title)", in: .flags)
        self.searches = searches.map(SearchRow.init)
        self.mayChange = mayChange
        self.form = mayChange ? form : nil
        empty =
            searches.isEmpty && self.form == nil
            ? EmptyState(
                heading: "No saved searches yet",
                advice: mayChange
                    ? "Filter the flag list, then select Save this search."
                    : "Editors and admins save searches of the flag list.",
                link: TextLink(label: "All flags", href: PageLink.flags)) : nil
    }
}

struct SearchRow: Hashable, PagePart {
    let name: String
    let href: String
    /// In words.
    let summary: String
    let actor: String
    let made: TimeText

    init(_ search: SavedSearch) {
        name = search.name
        href = search.href
        summary = Self.summary(of: search.filter)
        actor = search.actor
        made = TimeText(search.made)
    }

    /// For example `“check out”, state: on, sorted by Last change`.
    static func summary(of filter: FlagFilter) -> String {
        var parts = filter.text.isEmpty ? [] : ["“\(filter.text)”"]
        parts += filter.criteria.map { "\($0.name): \($0.value)" }
        if filter.sort != .order { parts.append("sorted by \(filter.sort.label.lowercasedFirst)") }
        if filter.showsProviders { parts.append("by provider") }
        return parts.isEmpty ? "all flags" : parts.joined(separator: ", ")
    }
}

extension SavedSearch {
    /// An unreadable query matches every flag.
    var filter: FlagFilter {
        FormFields(ifReadable: query).map { FlagFilter(query: $0.values) } ?? FlagFilter()
    }
}

/// Keeps refused input.
struct SearchForm: Hashable, PagePart {
    let name: String
    /// The query in the list's address.
    let query: String
    let summary: String
    let href: String
    let problem: String?

    init(_ filter: FlagFilter, name: String = "", problem: String? = nil) {
        self.name = name
        query = SavedSearch.query(of: filter)
        summary = SearchRow.summary(of: filter)
        href = "\(PageLink.flags)?\(query)"
        self.problem = problem
    }
}
