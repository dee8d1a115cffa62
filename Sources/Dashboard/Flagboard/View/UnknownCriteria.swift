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
