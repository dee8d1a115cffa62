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

extension SearchesPage {
}
