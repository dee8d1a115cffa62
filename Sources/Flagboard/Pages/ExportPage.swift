import FlagChanges

/// What can be downloaded.
struct ExportPage: PageModel {
    static let template = "export"

    let frame: PageFrame
    let links: [ExportLink]

    init(frame: PageFrame, links: [ExportLink]) {
        self.frame = frame.titled("Export", in: .export)
        self.links = links
    }
}

/// One download.
struct ExportLink: Hashable, Sendable {
    let name: String
    let href: String
    /// The name that the download is saved under.
    let fileName: String
    let about: String
    /// Why it can't be had now; `nil` where it can.
    let problem: String?

    init(name: String, href: String, fileName: String, description: String, problem: String? = nil) {
        self.name = name
        self.href = href
        self.fileName = fileName
        about = description
        self.problem = problem
    }

    /// This download, which can't be had now.
    func missing(because problem: String) -> ExportLink {
        ExportLink(name: name, href: href, fileName: fileName, description: about, problem: problem)
    }

    /// The values file, byte for byte.
    static let values = ExportLink(
        name: "Values", href: "/export/flags.xml", fileName: "flags.xml",
        description:
            "The values file, byte for byte as far as it may be seen here: an Apple property list that any app "
            + "with these flags can read.")
    /// What a read of every flag returns.
    static let effective = ExportLink(
        name: "Effective values", href: "/export/effective.xml", fileName: "effective.xml",
        description: "What a read of each flag returns now, from whichever source, in one property list.")
    /// The definitions.
    static let manifest = ExportLink(
        name: "Manifest", href: "/export/manifest.xml", fileName: "manifest.xml",
        description: "The definitions: type, default, name, description, lock and constraints of each flag.")
    /// The history as a table.
    static let historyCSV = ExportLink(
        name: "History as a table", href: PageLink.historyCSV, fileName: "history.csv",
        description: "Every change, one row each, for a spreadsheet (CSV): values as they read, their kinds in columns "
            + "of their own.")
    /// The history as JSON.
    static let historyJSONL = ExportLink(
        name: "History as JSON", href: PageLink.historyJSONLines, fileName: "history.jsonl",
        description: "Every change with all that the history keeps of it, typed values and hashes included, one JSON "
            + "object a line.")
}
