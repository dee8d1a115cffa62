import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct ServiceStatus: Hashable, Sendable {
    let notices: [PageNotice]
    /// The reason why no provider takes changes.
    let block: String?
    let unreadable: Set<String>
    /// Writable providers with a file or folder that rejects writes.
    let unwritable: Set<String>
    /// Code defines the flags, so they can't be defined here.
    private(set) var definesInCode = false
    private(set) var isDefinedElsewhere = false

    static let clear = ServiceStatus(notices: [], block: nil, unreadable: [], unwritable: [])

    init(notices: [PageNotice], block: String?, unreadable: Set<String>, unwritable: Set<String>) {
        self.notices = notices
        self.block = block
        self.unreadable = unreadable
        self.unwritable = unwritable
    }

    init(_ overview: FlagOverview, _ service: ChangeService, notices others: [PageNotice] = []) {
        let catalogue = overview.catalogue
        let files = Dictionary(
            service.files.providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        // An unreadable file has its own notice and doesn't block changes of other files.
        var general = overview.fileProblems.filter { $0.provider == nil }.map(\.description)
        var notices: [PageNotice] = []
        if service.isReadOnly, !general.isEmpty {
            general.removeFirst()
            notices.append(PageNotice("warning", "Read-only mode.", service.readOnlyCause ?? "Changes are turned off."))
        }
        if !general.isEmpty {
            let text = general.map(\.asSentence).joined(separator: " ")
            notices.append(PageNotice("error", "Editing is unavailable.", text))
        }
        notices += catalogue.providers.compactMap { provider in
            provider.problem.map { problem in
                let source = overview.fileProblems.first { $0.provider == provider.name }?.source
                return PageNotice.unreadable(
                    source ?? files[provider.name]?.url.lastPathComponent ?? provider.name, problem,
                    isAsked: provider.isAsked, isFile: source == nil)
            }
        }
        var unwritable: Set<String> = []
        for provider in catalogue.providers where provider.isWritable && provider.problem == nil {
            guard let file = files[provider.name], let obstacle = file.saveObstacle else { continue }
            unwritable.insert(provider.name)
            notices.append(.unwritable(file.url, obstacle))
        }
        let manifestObstacle = service.isReadOnly ? nil : service.files.manifestObstacle
        if let manifestObstacle { notices.append(.unwritable(service.files.manifest, manifestObstacle)) }
        // A file or folder that blocks changes has its own notice.
        if general.isEmpty, unwritable.isEmpty, manifestObstacle == nil, let problem = overview.saveProblem {
            notices.append(.unsaved(problem))
        }
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
                    "Flagboard was started with --show-internal."))
        }
        self.init(
            notices: notices,
            block: service.isReadOnly ? "Read-only mode: changes are turned off." : general.first?.asSentence,
            unreadable: Set(catalogue.providers.filter { $0.problem != nil }.map(\.name)), unwritable: unwritable)
        definesInCode = service.definesInCode || service.definingServer != nil
        isDefinedElsewhere = service.definingServer != nil
    }
}

struct PageNotice: Hashable, PagePart {
    /// `info`, `warning` or `error`.
    let style: String
    let heading: String
    let text: String

    init(_ style: String, _ heading: String, _ text: String) {
        self.style = style
        self.heading = heading
        self.text = text
    }

    /// Details are for the operator alone.
    fileprivate static let unsigned = PageNotice(
        "warning", "History not verified.",
        "Changes are recorded but not signed: earlier rows were altered or cut off, or a file is missing. See Flagboard’s log, "
            + "or run flagboard history verify.")

    fileprivate static func altered(_ rows: [Int64]) -> PageNotice {
        let shown = rows.prefix(5).map(String.init).joined(separator: ", ") + (rows.count > 5 ? " and more" : "")
        return PageNotice(
            "error", "History altered.",
            (rows.count == 1
                ? "Another program altered or removed change \(shown). It can’t be trusted or reverted. "
                : "Another program altered or removed changes \(shown). They can’t be trusted or reverted. ")
                + "Run flagboard history verify for details, then restore a backup of the history."
        )
    }

    fileprivate static func unreadable(
        _ name: String, _ problem: String, isAsked: Bool, isFile: Bool
    ) -> PageNotice {
        PageNotice(
            "error", "Can’t read \(name):",
            "\(problem.asSentence) "
                + (isAsked
                    ? "The last good values are in use until "
                        + (isFile ? "you fix the file. " : "it has valid flags. ")
                    : isFile ? "Fix the file. " : "Flagboard keeps trying. ")
                + "This page then updates itself.")
    }

    fileprivate static func unsaved(_ problem: FileProblem) -> PageNotice {
        PageNotice(
            "warning", "Last change not saved.",
            problem.description.asSentence
                + (problem.isLasting ? "" : " This page updates itself when changes can be saved again."))
    }

    fileprivate static func linked(_ url: URL) -> PageNotice {
        PageNotice(
            "warning", "\(url.lastPathComponent) is a hard link.",
            "The next change replaces this file, so its other name keeps the old content. Replace the other name with a "
                + "symbolic link or a copy.")
    }

    fileprivate static func unwritable(_ url: URL, _ obstacle: FileProblem) -> PageNotice {
        PageNotice(
            "warning", "Can’t write \(url.lastPathComponent).",
            "\(obstacle.description.asSentence) This page then updates itself.")
    }
}

struct FollowerLag: Sendable {
    let name: String
    /// Rows; `nil` if unknown.
    let behind: Int?
    let problem: ServiceProblem?

    var isFailing: Bool { problem != nil }
}
