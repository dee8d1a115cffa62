import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

/// The flags that an export is narrowed to: what the list shows for the same query, on all of its pages.
struct ExportSearch: Hashable, Sendable {
    /// The flags.
    let keys: Set<FlagKeyPath>
    /// The query with its question mark, to put behind the addresses of downloads.
    let query: String

    /// Narrows to what a request asks for; `nil` where that is everything.
    ///
    /// - Throws: ``RequestError`` where it asks for what can't be: the export of another search would not be noticed.
    init?(_ request: Request, in view: CatalogueView) throws {
        let filter = FlagFilter(query: try FormFields(request.uri.query ?? "").values)
        guard filter.problems.isEmpty else {
            throw RequestError(
                .badRequest, title: "No such search", message: filter.problems.joined(separator: " "),
                remedy: "Search in the list of flags, and export from there.")
        }
        self.init(filter, in: view)
    }

    /// Narrows to what a filter lets through; `nil` where that is everything.
    init?(_ filter: FlagFilter, in view: CatalogueView) {
        guard filter.isActive else { return nil }
        keys = Set(filter.entries(of: view).map(\.key))
        query = Self.query(of: filter)
    }

    /// The page that offers the flags of a search for download.
    static func href(of filter: FlagFilter) -> String { PageLink.export + query(of: filter) }

    private static func query(of filter: FlagFilter) -> String {
        var filter = filter
        filter.page = 1
        return String(filter.href.dropFirst(PageLink.flags.count))
    }
}
