/// A link that narrows the list, or widens it again where it is the current one.
struct FacetLink: Hashable, PagePart {
    let label: String
    let count: Int
    let href: String
    let isCurrent: Bool
}

/// A criterion that travels with the form unseen.
struct HiddenField: Hashable, PagePart {
    let name: String
    let value: String
}

/// Words about lists of flags.
enum FlagListWords {
    /// What to say where a search finds no flag.
    static let searchAdvice =
        "Every word of the search must be found in the key path, name, description, tags, group name or in the text that "
        + "the flag holds."

    /// `1 flag`, `12 flags`.
    static func count(_ number: Int) -> String { number == 1 ? "1 flag" : "\(number) flags" }
}

/// What a page says of the items of a query that ask for nothing it knows.
enum UnknownCriteria {
    /// Says of each item that a page is not asked with that it does not narrow the page.
    ///
    /// - Parameter known: The items that the page is asked with, beside the sentence that any page may have to tell.
    static func problems(in query: [String: String], known: Set<String>) -> [String] {
        query.keys.sorted().filter { !known.contains($0) && $0 != FlashMessages.query }.map {
            "A list can’t be narrowed by \"\($0)\": what it asks for is left out."
        }
    }
}

extension Collection where Element: RawRepresentable<String> {
    /// The words of a query that are known, for a sentence.
    var listed: String { map(\.rawValue).joined(separator: ", ") }
}
