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
