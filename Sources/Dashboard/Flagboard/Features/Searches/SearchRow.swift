import Foundation

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
