import Foundation

/// A search of the list of flags that was given a name, for everyone who uses the dashboard.
struct SavedSearch: Codable, Hashable, Sendable {
    /// What the menu calls it; each name is there once.
    let name: String
    /// The search, as the list's address holds it: `q=checkout&state=on`.
    let query: String
    /// Who saved it.
    let actor: String
    /// When it was saved.
    let made: Date

    /// How long a name may be, in characters.
    static let longestName = 60

    /// What is wrong with a name, in a sentence; `nil` where it can be one.
    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "Give the search a name." }
        if name.count > longestName { return "A name has \(longestName) characters at most: shorten it." }
        if ShownPart.parts(of: name, breaksLines: false).contains(where: { $0.sign != nil }) {
            return "The name has a character that can’t be seen: type it anew."
        }
        return nil
    }

    /// The list that it leads to.
    var href: String { "\(PageLink.flags)?\(query)" }

    /// A search as it is kept: from the first page on, with no row open.
    ///
    /// - Returns: The query; empty where it is the usual list.
    static func query(of filter: FlagFilter) -> String {
        var filter = filter
        filter.page = 1
        (filter.opened, filter.returning) = (nil, nil)
        return String(filter.href.dropFirst(PageLink.flags.count).drop { $0 == "?" })
    }
}
