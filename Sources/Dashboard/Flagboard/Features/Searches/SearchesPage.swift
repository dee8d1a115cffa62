import Foundation

/// The saved searches, and the form that saves one.
struct SearchesPage: PageModel {
    static let template = "searches"

    let frame: PageFrame
    let searches: [SearchRow]
    /// Whether the viewer may save and remove searches.
    let mayChange: Bool
    /// The search that is to be saved; `nil` where none is asked for, or the viewer may not save it.
    let form: SearchForm?

    /// Makes the page.
    init(frame: PageFrame, searches: [SavedSearch], mayChange: Bool, form: SearchForm? = nil) {
        let title = "Saved searches"
        self.frame = frame.titled(form?.problem == nil ? title : "Not saved: \(title)", in: .flags)
        self.searches = searches.map(SearchRow.init)
        self.mayChange = mayChange
        self.form = mayChange ? form : nil
    }
}

/// A saved search, as the page lists it.
struct SearchRow: Hashable, PagePart {
    let name: String
    let href: String
    /// What the search leaves, in words.
    let summary: String
    /// Who saved it.
    let actor: String
    /// When it was saved.
    let made: TimeText

    init(_ search: SavedSearch) {
        name = search.name
        href = search.href
        summary = Self.summary(of: search.filter)
        actor = search.actor
        made = TimeText(search.made)
    }

    /// What a search asks for, in words: `“check out”, state: on, sorted by Last change`.
    static func summary(of filter: FlagFilter) -> String {
        var parts = filter.text.isEmpty ? [] : ["“\(filter.text)”"]
        parts += filter.criteria.map { "\($0.name): \($0.value)" }
        if filter.sort != .order { parts.append("sorted by \(filter.sort.label.lowercasedFirst)") }
        if filter.showsProviders { parts.append("providers side by side") }
        return parts.isEmpty ? "all flags" : parts.joined(separator: ", ")
    }
}

extension SavedSearch {
    /// What the list is narrowed and ordered by; a query that can't be read leaves every flag.
    var filter: FlagFilter {
        switch Result(catching: { () throws(FormFieldsError) in try FormFields(query) }) {
        case .success(let fields): FlagFilter(query: fields.values)
        case .failure: FlagFilter()
        }
    }
}

/// The form that saves a search, with what was typed where it was refused.
struct SearchForm: Hashable, PagePart {
    /// The name as typed.
    let name: String
    /// The search, as the list's address holds it.
    let query: String
    /// What the search leaves, in words.
    let summary: String
    /// The list that it leads to.
    let href: String
    /// What is wrong with the name.
    let problem: String?

    /// Fills the form.
    init(_ filter: FlagFilter, name: String = "", problem: String? = nil) {
        self.name = name
        query = SavedSearch.query(of: filter)
        summary = SearchRow.summary(of: filter)
        href = "\(PageLink.flags)?\(query)"
        self.problem = problem
    }
}
