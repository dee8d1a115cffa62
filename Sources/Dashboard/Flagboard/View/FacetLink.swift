struct FacetLink: Hashable, PagePart {
    let label: String
    let count: Int
    let href: String
    let isCurrent: Bool
}

/// A criterion that travels with the form.
struct HiddenField: Hashable, PagePart {
    let name: String
    let value: String
}

enum FlagListWords {
    static let searchAdvice =
        "Try fewer words: each must appear in the key path, name, description, tags, group or value."

    static func count(_ number: Int) -> String { number == 1 ? "1 flag" : "\(number) flags" }
}

enum UnknownCriteria {
    /// - Parameter known: The page's items, besides the token of a flash message.
    static func problems(in query: [String: String], known: Set<String>) -> [String] {
        query.keys.sorted().filter { !known.contains($0) && $0 != FlashMessages.query }.map {
            "Unknown filter “\($0)” was ignored."
        }
    }
}

extension Collection where Element: RawRepresentable<String> {
    var listed: String { map(\.rawValue).joined(separator: ", ") }
}
