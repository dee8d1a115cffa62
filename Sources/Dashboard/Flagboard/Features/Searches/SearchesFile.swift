import DurableFiles
import FlagChanges
import Foundation

/// The file of the saved searches, beside that of the tokens: `flags.searches.json`.
final class SearchesFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let searches: [SavedSearch]

        static let kind = KeptFileKind("of searches", remedy: "Correct it, or remove it.")
        static let empty: [SavedSearch] = []

        init(_ content: [SavedSearch]) {
            searches = content.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
        }

        func content() throws(KeptDocumentError) -> [SavedSearch] {
            if let name = searches.firstDuplicate(of: \.name) {
                throw KeptDocumentError(fault: "two searches have the name \(name)")
            }
            return searches
        }
    }

    /// How many searches there may be: a menu of more is no help.
    static let maximumCount = 50

    private let file: KeptFile<Document>

    /// Where the file is, or will be.
    var url: URL { file.url }

    /// Creates an accessor for the file at a URL.
    init(_ url: URL) { file = KeptFile(url) }

    /// The searches as the file holds them now, by their names; none where there is no file.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be read, or is no file of searches.
    func searches() throws(KeptFileError) -> [SavedSearch] { try file.content() }

    /// Keeps a search, whose name no other may have.
    ///
    /// - Throws: ``KeptFileError`` where the name can't be, or the file can't be written; nothing is kept then.
    func add(_ search: SavedSearch) async throws(KeptFileError) {
        if let problem = SavedSearch.problem(withName: search.name) { throw .refused(problem) }
        try await file.edit { (searches) throws(KeptFileError) in
            guard !searches.contains(where: { $0.name == search.name }) else {
                throw .refused(
                    "There is a search of the name \(search.name): choose another name, or remove that one first.")
            }
            guard searches.count < Self.maximumCount else {
                throw .refused(
                    "There are \(Self.maximumCount) saved searches, as many as there may be: remove one first.")
            }
            return searches + [search]
        }
    }

    /// Removes the search of a name.
    ///
    /// - Throws: ``KeptFileError`` where there is none, or the file can't be written.
    func remove(_ name: String) async throws(KeptFileError) {
        try await file.edit { (searches) throws(KeptFileError) in
            guard searches.contains(where: { $0.name == name }) else {
                throw .unknown("There is no search of the name \(name) any more.")
            }
            return searches.filter { $0.name != name }
        }
    }
}

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

extension Dashboard {
    var searches: SearchesFile { states.value { SearchesFile(firstFiles.searches) } }
}
