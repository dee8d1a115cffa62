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
