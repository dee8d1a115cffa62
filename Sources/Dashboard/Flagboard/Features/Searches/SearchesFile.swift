import DurableFiles
import FlagChanges
import Foundation

/// The file of the saved searches, beside the tokens' file: `flags.searches.json`.
final class SearchesFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let searches: [SavedSearch]

        static let kind = KeptFileKind("saved searches", remedy: "Fix it, or remove it.")
        static let empty: [SavedSearch] = []

        init(_ content: [SavedSearch]) { searches = Self.sorted(content) }

        private static func sorted(_ searches: [SavedSearch]) -> [SavedSearch] {
            searches.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
        }

        func content() throws(PlainError) -> [SavedSearch] {
            if let name = searches.firstDuplicate(of: \.name) {
                throw PlainError("two searches have the name \(name)")
            }
            return Self.sorted(searches)
        }
    }

    /// A longer menu doesn't help.
    static let maximumCount = 50

    private let file: KeptFile<Document>

    var url: URL { file.url }

    init(_ url: URL) { file = KeptFile(url) }

    /// Empty without a file.
    func searches() throws(KeptFileError) -> [SavedSearch] { try file.content() }

    /// Throws if the name is invalid or taken, or there are too many.
    func add(_ search: SavedSearch) async throws(KeptFileError) {
        if let problem = SavedSearch.problem(withName: search.name) { throw .refused(problem) }
        try await file.edit { (searches) throws(KeptFileError) in
            guard !searches.contains(where: { $0.name == search.name }) else {
                throw .refused(
                    "A search named “\(search.name)” already exists. Choose another name, or remove it first.")
            }
            guard searches.count < Self.maximumCount else {
                throw .refused(
                    "There are \(Self.maximumCount) saved searches, which is the limit. Remove one first.")
            }
            return searches + [search]
        }
    }

    /// Throws if there is no such search.
    func remove(_ name: String) async throws(KeptFileError) {
        try await file.edit { (searches) throws(KeptFileError) in
            guard searches.contains(where: { $0.name == name }) else {
                throw .unknown("No saved search is named “\(name)”.")
            }
            return searches.filter { $0.name != name }
        }
    }
}

/// A named search of the list, shared by everyone who uses the dashboard.
struct SavedSearch: Codable, Hashable, Sendable {
    /// Unique.
    let name: String
    /// The query in the list's address: `q=checkout&state=on`.
    let query: String
    let actor: String
    let made: Date

    /// In characters.
    static let longestName = 60

    /// `nil` for a valid name.
    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "Enter a name." }
        if name.count > longestName { return "Use \(longestName) characters or fewer." }
        if ShownPart.parts(of: name, breaksLines: false).contains(where: { $0.sign != nil }) {
            return "The name contains an invisible character."
        }
        return nil
    }

    var href: String { "\(PageLink.flags)?\(query)" }

    /// Returns the query to save, without page and open row; empty for the default list.
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
