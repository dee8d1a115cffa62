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
    /// The list's query, to send along.
    let fields: [HiddenField]
    /// `nil` when nothing can be changed, or the bar stands elsewhere.
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
        /// `nil` without a direction.
        let arrow: String?
        let isPrimary: Bool
        let words: [Words]

        /// `words` alternate with names of columns.
        init(_ name: String, _ value: String, _ words: String..., arrow: String? = nil, isPrimary: Bool = false) {
            (self.name, self.value, self.arrow, self.isPrimary) = (name, value, arrow, isPrimary)
            self.words = stride(from: 0, to: words.count, by: 2).map { place in
                Words(text: words[place], columnName: place + 1 < words.count ? words[place + 1] : nil)
            }
        }
    }

    struct Words: Hashable, PagePart {
        let text: String
        let columnName: String?
    }

    init(
        _ legend: String, advice: String, formID: String = "matrix-form", selects: [Select] = [], lines: [[Button]],
        isSticky: Bool = false
    ) {
        (self.formID, self.legend, self.advice, self.selects) = (formID, legend, advice, selects)
        self.lines = lines.map(Line.init)
        self.isSticky = isSticky
    }

    static let copyLegend = "Copy values across"
    static let copyAdvice =
        "You see what would change before it is copied. A flag without a value where it is copied from is reset."
}

extension EmptyState {
    /// Returns the state of a list whose search finds nothing, or of a file without flags.
    ///
    /// - Parameter cleared: The list's address without the search.
    static func unfound(_ text: String, cleared: String, purpose: String) -> EmptyState {
        text.allSatisfy(\.isWhitespace)
            ? EmptyState(
                heading: "No flags yet", advice: purpose,
                link: TextLink(label: "How to make the first flag", href: PageLink.flags))
            : EmptyState(
                heading: "No flag matches", advice: FlagListWords.searchAdvice,
                link: TextLink(label: "Clear the search", href: cleared))
    }
}
