import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

/// What can be downloaded.
struct ExportPage: PageModel {
    static let template = "export"

    let frame: PageFrame
    /// The search that the downloads are narrowed to.
    let search: Search?
    let links: [ExportLink]

    /// A search in words, and the way back to it.
    struct Search: Hashable, PagePart {
        let countText: String
        let href: String
        let allHref: String
    }

    /// Makes the page.
    ///
    /// - Parameter search: What the downloads are narrowed to; `nil` for everything.
    init(frame: PageFrame, search: ExportSearch? = nil, links: [ExportLink]) {
        self.frame = frame.titled(search == nil ? "Export" : "Export of a search", in: .export)
        self.search = search.map {
            Search(
                countText: FlagListWords.count($0.keys.count), href: PageLink.flags + $0.query,
                allHref: PageLink.export)
        }
        self.links = links.map { $0.narrowed(to: search?.query ?? "") }
    }
}

/// Something to download, in one format or several.
struct ExportLink: Hashable, PagePart {
    let name: String
    /// What it is for.
    let about: String
    let downloads: [Download]
    /// Why it can't be had now; `nil` where it can.
    let problem: String?

    /// One format of it.
    struct Download: Hashable, PagePart {
        let href: String
        /// The name that the download is saved under.
        let fileName: String

        init(href: String, fileName: String) {
            (self.href, self.fileName) = (href, fileName)
        }

        /// A download that is saved under the last part of its address.
        init(_ route: Route) {
            self.init(href: route.path, fileName: route.fileName)
        }
    }

    private init(name: String, downloads: [Download], about: String, problem: String? = nil) {
        self.name = name
        self.downloads = downloads
        self.about = about
        self.problem = problem
    }

    private init(_ name: String, _ routes: Route..., for about: String) {
        self.init(name: name, downloads: routes.map { Download($0) }, about: about)
    }

    /// This download, which can't be had now.
    func missing(because problem: String) -> ExportLink {
        ExportLink(name: name, downloads: downloads, about: about, problem: problem)
    }

    /// This download of what a search finds.
    func narrowed(to query: String) -> ExportLink {
        ExportLink(
            name: name,
            downloads: downloads.map { download in
                let isBegun = download.href.contains("?") && !query.isEmpty
                return Download(
                    href: download.href + (isBegun ? "&" + query.dropFirst() : query), fileName: download.fileName)
            }, about: about, problem: problem)
    }

    /// The item of a query that names a provider; `provider` is that of the list, and means the one that wins.
    static let provider = "of"

    /// What a provider holds that is not the first one.
    static func values(of provider: String) -> ExportLink {
        let query = PageLink.query([(Self.provider, provider)])
        return ExportLink(
            name: "Values of \(provider)",
            downloads: [(Route.values, "xml"), (.valuesJSON, "json")].map { route, ending in
                Download(href: route.path + query, fileName: "\(fileName(of: provider)).\(ending)")
            }, about: "What this provider’s file holds, in the same forms.")
    }

    /// What a provider's values are saved as, without an ending: of its name, what every system takes in one.
    static func fileName(of provider: String) -> String { DownloadName.plain(provider, or: "values") }

    /// The values file.
    static let values = ExportLink(
        "Values", .values, .valuesJSON,
        for:
            "What the values file holds. The XML is an exact copy, without internal flags; from a search, only the matching "
            + "flags.")
    /// What a read of every flag returns.
    static let effective = ExportLink(
        "Effective values", .effective, .effectiveJSON,
        for: "What an app gets for each flag now, defaults included.")
    /// The definitions.
    static let manifest = ExportLink(
        "Manifest", .manifest, .manifestJSON,
        for:
            "The definition of each flag. The XML is an exact copy, without internal flags; from a search, only the matching "
            + "flags. The JSON is for scripts.")
    /// The history as a table.
    static let historyCSV = ExportLink(
        name: "History as a table",
        downloads: [
            Download(.historyCSV),
            Download(
                href: Route.historyCSV.path + PageLink.query([(Dashboard.byteOrderMark, "true")]),
                fileName: "history-excel.csv"),
        ],
        about: "Every change on a row, for a spreadsheet (CSV); for Excel with a byte order mark.")
    /// The history as JSON.
    static let historyJSONL = ExportLink(
        "History as JSON", .historyJSONLines,
        for: "Every change with its typed values and hashes, one JSON object a line.")
}

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
