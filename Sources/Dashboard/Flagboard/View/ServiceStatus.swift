import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// How things stand with the files: what to announce on every page, and what keeps changes from being made.
struct ServiceStatus: Hashable, Sendable {
    /// What to say at the top of every page.
    let notices: [PageNotice]
    /// Why nothing can be changed in any provider, in a sentence; `nil` where changes are possible.
    let block: String?
    /// The providers whose file can't be read now.
    let unreadable: Set<String>
    /// The writable providers whose file or folder may not be written to.
    let unwritable: Set<String>
    /// Whether flags are defined by code, and so not here.
    private(set) var definesInCode = false
    /// Whether another server defines and locks the flags.
    private(set) var isDefinedElsewhere = false

    /// Nothing is in the way.
    static let clear = ServiceStatus(notices: [], block: nil, unreadable: [], unwritable: [])

    init(notices: [PageNotice], block: String?, unreadable: Set<String>, unwritable: Set<String>) {
        self.notices = notices
        self.block = block
        self.unreadable = unreadable
        self.unwritable = unwritable
    }

    /// Tells how things stand.
    init(_ overview: FlagOverview, _ service: ChangeService, notices others: [PageNotice] = []) {
        let catalogue = overview.catalogue
        let files = Dictionary(
            service.files.providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        // A file that can't be read is announced on its own, and another one can be changed all the same.
        var general = overview.fileProblems.filter { $0.provider == nil }.map(\.description)
        var notices: [PageNotice] = []
        if service.isReadOnly, !general.isEmpty {
            notices.append(PageNotice("warning", "Read-only.", general.removeFirst().asSentence))
        }
        if !general.isEmpty {
            let text = general.map(\.asSentence).joined(separator: " ")
            notices.append(PageNotice("error", "Nothing can be changed now.", text))
        }
        notices += catalogue.providers.compactMap { provider in
            provider.problem.map {
                PageNotice.unreadable(files[provider.name]?.url, $0, isAsked: provider.isAsked)
            }
        }
        var unwritable: Set<String> = []
        for provider in catalogue.providers where provider.isWritable && provider.problem == nil {
            guard let file = files[provider.name], let obstacle = file.saveObstacle else { continue }
            unwritable.insert(provider.name)
            notices.append(.unwritable(file.url, obstacle))
        }
        // A file or a folder that blocks changes has its own notice.
        if general.isEmpty, unwritable.isEmpty, let problem = overview.saveProblem { notices.append(.unsaved(problem)) }
        notices += [PageNotice(overview.conflicts)].compactMap(\.self)
        notices += overview.linkedFiles.map(PageNotice.linked)
        notices += others
        let altered = service.history.alteredRows
        if !altered.isEmpty { notices.append(.altered(altered)) }
        if service.history.signingProblem != nil { notices.append(.unsigned) }
        if service.showsInternal {
            notices.append(
                PageNotice(
                    "info", "Internal flags are shown.",
                    "Flagboard was started with --show-internal; without it, nobody sees them here."))
        }
        self.init(
            notices: notices,
            block: service.isReadOnly ? "Flagboard was started read-only." : general.first?.asSentence,
            unreadable: Set(catalogue.providers.filter { $0.problem != nil }.map(\.name)), unwritable: unwritable)
        definesInCode = service.definesInCode || service.definingServer != nil
        isDefinedElsewhere = service.definingServer != nil
    }
}

/// A sentence at the top of a page.
struct PageNotice: Hashable, PagePart {
    /// How it is coloured: `info`, `warning` or `error`.
    let style: String
    /// What it is about, as a sentence.
    let heading: String
    let text: String

    init(_ style: String, _ heading: String, _ text: String) {
        self.style = style
        self.heading = heading
        self.text = text
    }

    /// Says that the history can't vouch for itself, without what only the operator should read.
    fileprivate static let unsigned = PageNotice(
        "warning", "The history is not proven.",
        "Changes are recorded, but not signed, because something is wrong with what was: rows may have been altered or cut "
            + "off, or a file is missing. The log says what; flagboard history verify tells where.")

    /// Says that rows of the history are not what was recorded.
    fileprivate static func altered(_ rows: [Int64]) -> PageNotice {
        let shown = rows.prefix(5).map(String.init).joined(separator: ", ") + (rows.count > 5 ? " and more" : "")
        return PageNotice(
            "error", "The history was altered.",
            "Another program changed what was recorded: \(rows.count == 1 ? "change" : "changes") \(shown). These changes "
                + "can’t be trusted or reverted. Run flagboard history verify for details, then restore an earlier copy of the history."
        )
    }

    fileprivate static func unreadable(_ url: URL?, _ problem: String, isAsked: Bool) -> PageNotice {
        let name = url?.lastPathComponent ?? "A file"
        return PageNotice(
            "error", "\(name) can’t be read:",
            "\(problem.asSentence) Once the file is repaired, the page recovers by itself."
                + (isAsked
                    ? " Until then, what it last held counts everywhere, marked as stale: grey in the list of flags."
                    : ""))
    }

    fileprivate static func unsaved(_ problem: FileProblem) -> PageNotice {
        PageNotice(
            "warning", "The last change could not be saved.",
            "\(problem.description.asSentence) Nothing was changed. Once a change can be saved again, the page recovers by itself."
        )
    }

    fileprivate static func linked(_ url: URL) -> PageNotice {
        PageNotice(
            "warning", "\(url.lastPathComponent) has another name.",
            "It is a hard link, and the next change parts the two: a new file takes the place of this one, and whoever reads "
                + "the other name goes on with what is there now. Replace the other name by a symbolic link to this file, or "
                + "by a copy of it.")
    }

    fileprivate static func unwritable(_ url: URL, _ obstacle: FileProblem) -> PageNotice {
        PageNotice(
            "warning", "\(url.lastPathComponent) can’t be changed.",
            "\(obstacle.description.asSentence) The page recovers by itself when that is done.")
    }
}

/// How far something lags that passes the rows of the history on.
struct FollowerLag: Sendable {
    /// Where the rows go.
    let name: String
    /// How many rows are not passed on yet; `nil` where that is not known.
    let behind: Int?
    /// What is in the way.
    let problem: FollowerStatus.Problem?

    /// Whether rows can be passed on.
    var isFailing: Bool { problem != nil }
}
