import FeatureFlags
import FlagChanges

/// The part of a page beneath its own search: the rows to choose from, and the form that changes some of them.
struct MatrixList: Hashable, PagePart {
    let refusal: String?
    let problems: [String]
    let extents: [FacetLink]
    let empty: EmptyState?
    /// The address for the form, which keeps the list when a change is refused.
    let action: String
    let formID: String
    /// The list's query.
    let fields: [HiddenField]
    /// `nil` if nothing can be changed, or the bar stands elsewhere.
    let bar: MatrixBar?
    let refusals: [String]
    let table: MatrixTable?
    let pages: ListPages?

    init(
        refusal: String?, problems: [String?], extents: [FacetLink], empty: EmptyState?, action: String,
        formID: String = "matrix-form", fields: [(String, String?)], bar: MatrixBar? = nil, refusals: [String] = [],
        table: MatrixTable?, pages: ListPages?
    ) {
        self.refusal = refusal
        self.problems = problems.compactMap(\.self)
        self.extents = extents
        self.empty = empty
        self.action = action
        self.formID = formID
        self.fields = fields.compactMap { name, value in value.map { HiddenField(name: name, value: $0) } }
        self.bar = bar
        self.refusals = table == nil ? [] : refusals
        self.table = table
        self.pages = pages
    }
}

/// The buttons that change the chosen rows, or all of them.
struct MatrixBar: Hashable, PagePart {
    let formID: String
    let legend: String
    let advice: String
    let selects: [Select]
    let lines: [Line]
    /// `true` to stay in sight.
    let isSticky: Bool
    /// A script shows either the buttons for the selected rows or those for all.
    let followsSelection: Bool

    struct Select: Hashable, PagePart {
        let name: String
        let label: String
        let options: [ChoiceOption]
    }

    struct Line: Hashable, PagePart {
        let buttons: [Button]
    }

    struct Button: Hashable, PagePart {
        let name: String
        let value: String
        let text: String
        /// The changed column; `nil` if a select names it.
        let target: String?
        let isPrimary: Bool
        /// `selected` or `all`, for the script; `nil` for a bar that doesn't follow the selection.
        private(set) var scope: String?

        init(_ name: String, _ value: String, _ text: String, target: String? = nil, isPrimary: Bool = false) {
            (self.name, self.value, self.text, self.target) = (name, value, text, target)
            self.isPrimary = isPrimary
        }

        fileprivate func about(_ scope: String) -> Button {
            var button = self
            button.scope = scope
            return button
        }
    }

    init(
        _ legend: String, advice: String, formID: String = "matrix-form", selects: [Select] = [], lines: [[Button]],
        isSticky: Bool = false
    ) {
        (self.formID, self.legend, self.advice, self.selects) = (formID, legend, advice, selects)
        self.lines = lines.map(Line.init)
        self.isSticky = isSticky
        followsSelection = false
    }

    /// - Parameters:
    ///   - selected: Buttons that copy the selected rows.
    ///   - all: Buttons that copy every possible row.
    init(selects: [Select] = [], copying selected: [Button], all: [Button]) {
        formID = "matrix-form"
        legend = "Copy values"
        advice = "You’ll see a preview first. Flags with no value in the source are reset."
        self.selects = selects
        lines = [Line(buttons: selected.map { $0.about("selected") } + all.map { $0.about("all") })]
        isSticky = false
        followsSelection = true
    }
}

extension EmptyState {
    /// Returns the state of a list whose search finds nothing, or of a file without flags.
    ///
    /// - Parameter cleared: The list's address without the search.
    static func unfound(_ text: String, cleared: String, purpose: String) -> EmptyState {
        text.allSatisfy(\.isWhitespace)
            ? EmptyState(
                heading: "No flags yet", advice: purpose,
                link: TextLink(label: "All flags", href: PageLink.flags))
            : EmptyState(
                heading: "No flags match “\(text)”", advice: FlagListWords.searchAdvice,
                link: TextLink(label: "Clear search", href: cleared))
    }
}
