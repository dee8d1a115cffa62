import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

struct ExportPage: PageModel {
    static let template = "export"

    let frame: PageFrame
    /// `nil` for everything.
    let search: Search?
    let links: [ExportLink]

    struct Search: Hashable, PagePart {
        let countText: String
        let href: String
        let allHref: String
    }

    init(frame: PageFrame, search: ExportSearch? = nil, links: [ExportLink]) {
        self.frame = frame.titled(search == nil ? "Export" : "Export matching flags", in: .export)
        self.search = search.map {
            Search(
                countText: FlagListWords.count($0.keys.count), href: PageLink.flags + $0.query,
                allHref: PageLink.export)
        }
        self.links = links.map { $0.narrowed(to: search?.query ?? "") }
    }
}

struct ExportLink: Hashable, PagePart {
    let name: String
    let about: String
    let downloads: [Download]
    let problem: String?

    struct Download: Hashable, PagePart {
        let href: String
        let fileName: String

        init(href: String, fileName: String) {
            (self.href, self.fileName) = (href, fileName)
        }

        /// Creates a download that is saved under the last part of its address.
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

    func missing(because problem: String) -> ExportLink {
        ExportLink(name: name, downloads: downloads, about: about, problem: problem)
    }

    func narrowed(to query: String) -> ExportLink {
        ExportLink(
            name: name,
            downloads: downloads.map { download in
                let isBegun = download.href.contains("?") && !query.isEmpty
                return Download(
                    href: download.href + (isBegun ? "&" + query.dropFirst() : query), fileName: download.fileName)
            }, about: query.isEmpty ? about : about.replacing(Self.exactness, with: ""), problem: problem)
    }

    /// The list's `provider` is the source of the value.
    static let provider = "of"

    static func values(of provider: String) -> ExportLink {
        let query = PageLink.query([(Self.provider, provider)])
        return ExportLink(
            name: "Values of \(provider)",
            downloads: [(Route.values, "xml"), (.valuesJSON, "json")].map { route, ending in
                Download(href: route.path + query, fileName: "\(fileName(of: provider)).\(ending)")
            }, about: "Values in this provider’s file.")
    }

    /// Returns the file name without extension.
    static func fileName(of provider: String) -> String { DownloadName.plain(provider, or: "values") }

    /// What a search makes untrue.
    private static let exactness = " The XML is an exact copy, except for internal flags."

    static let values = ExportLink(
        "Values", .values, .valuesJSON, for: "Values in the values file." + exactness)
    static let effective = ExportLink(
        "Effective values", .effective, .effectiveJSON,
        for: "Resolved values, including defaults.")
    static let text = ExportLink(
        "Text", .flagsText, for: "One line per flag with its group, name and value.")
    static let manifest = ExportLink(
        "Manifest", .manifest, .manifestJSON,
        for: "Flag definitions." + exactness)
    static let historyCSV = ExportLink(
        name: "History as a table",
        downloads: [
            Download(.historyCSV),
            Download(
                href: Route.historyCSV.path + PageLink.query([(Dashboard.byteOrderMark, "true")]),
                fileName: "history-excel.csv"),
        ],
        about: "CSV, one change per row. The second file is for Excel.")
    static let historyJSONL = ExportLink(
        "History as JSON", .historyJSONLines,
        for: "One JSON object per line, with typed values and hashes.")
}

/// A search on all pages of its list.
struct ExportSearch: Hashable, Sendable {
    let keys: Set<FlagKeyPath>
    /// The query with its question mark, for the addresses of downloads.
    let query: String

    /// `nil` if the search matches everything.
    ///
    /// - Throws: ``RequestError`` for an invalid search, since nobody would notice that the wrong flags were exported.
    init?(_ request: Request, in view: CatalogueView) throws {
        let filter = FlagFilter(query: try FormFields(request.uri.query ?? "").values)
        guard filter.problems.isEmpty else {
            throw RequestError(
                .badRequest, title: "Invalid search", message: filter.problems.joined(separator: " "),
                remedy: "Filter the list of flags and export from there.")
        }
        self.init(filter, in: view)
    }

    /// `nil` if the search matches everything.
    init?(_ filter: FlagFilter, in view: CatalogueView) {
        guard filter.isActive else { return nil }
        keys = Set(filter.entries(of: view).map(\.key))
        query = Self.query(of: filter)
    }

    static func href(of filter: FlagFilter) -> String { PageLink.export + query(of: filter) }

    private static func query(of filter: FlagFilter) -> String {
        var filter = filter
        filter.page = 1
        return String(filter.href.dropFirst(PageLink.flags.count))
    }
}
