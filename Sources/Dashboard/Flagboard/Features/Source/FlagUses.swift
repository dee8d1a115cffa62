import FeatureFlags
import FlagChanges
import FlagReferences
import Hummingbird

/// Where source code is about a flag, for its page.
struct FlagUses: Hashable, PagePart {
    /// How many places a page names.
    private static let limit = 200

    /// What there is to say besides the places.
    let summary: String
    let places: [Place]

    /// A place, with the page that shows the lines around it.
    struct Place: Hashable, PagePart {
        let text: String
        let href: String
        /// How the place is about the flag.
        let kind: String
    }

    /// - Parameters:
    ///   - key: The flag.
    ///   - findings: What was found at the last look; `nil` before the first.
    init(of key: FlagKeyPath, _ findings: SourceIndex.Findings?) {
        let found = findings?.references.places[key] ?? []
        places = found.prefix(Self.limit).map { reference in
            let line = reference.position.line
            return Place(
                text: "\(reference.file):\(line)", href: PageLink.source(reference.file, line: line),
                kind: Self.words(reference.kind))
        }
        let told =
            switch findings {
            case nil: "The source code is being read. Load the page again in a moment."
            case let findings? where found.isEmpty:
                "None of the \(findings.count) Swift files is about this flag."
            case _ where found.count > Self.limit: "The first \(Self.limit) of \(found.count) places."
            case _ where found.allSatisfy({ $0.kind == .declaration }): "It is declared, and nothing uses it."
            case _ where !found.contains(where: \.kind.isUse):
                "Nothing is known to use it; only things of its name are declared."
            default: "\(found.count) place\(found.count == 1 ? "" : "s")."
            }
        summary = ([told] + Self.unread(findings?.problems ?? [])).joined(separator: " ")
    }

    /// Says which files were not read, the first of many.
    private static func unread(_ problems: [SourceProblem]) -> [String] {
        problems.prefix(3).map { "\($0.file) was not read, because \($0.reason)." }
            + (problems.count > 3 ? ["Nor were \(problems.count - 3) more."] : [])
    }

    private static func words(_ kind: FlagReference.Kind) -> String {
        switch kind {
        case .declaration: "declared"
        case .key: "by its key path"
        case .property: "by its property"
        case .possible: "perhaps: a property of that name"
        case .namesake: "perhaps: something of that name"
        case .namesakeDeclaration: "perhaps declared: something of that name"
        }
    }
}

extension Dashboard {
    /// Where source code is about a flag; `nil` where there is none to look at.
    func uses(of entry: FlagEntry) -> FlagUses? {
        source.map { FlagUses(of: entry.key, $0.findings) }
    }

    /// The lines around a place in a file that is about some flag that may be seen; no other file is shown, and no line
    /// that tells of an internal flag.
    func sourcePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let file = query["file"] ?? ""
        let overview = try await service.overview()
        let view = view(of: overview, context)
        guard let source, let findings = source.findings else {
            throw RequestError.notFound("source file \(file) that is about a flag")
        }
        let shown = findings.references.flags(in: file).filter { view.catalogue[$0.key] != nil }
        guard !shown.isEmpty else { throw RequestError.notFound("source file \(file) that is about a flag") }
        let text: String
        do throws(SourceProblem) {
            text = try source.folder.text(of: file)
        } catch {
            throw RequestError(
                .notFound, title: "Not readable", message: "\(file) can’t be shown: \(error.reason).",
                remedy: "See whether the file is still there.")
        }
        guard findings.isOf(text, in: file) else {
            throw RequestError(
                .conflict, title: "Changed meanwhile", message: "\(file) was changed and is being read again.",
                remedy: "Load the page again in a moment.")
        }
        guard
            let page = SourcePage(
                frame: frame(view), file: file, line: query["line"].map { Int($0) ?? 0 } ?? 1, text: text, flags: shown,
                hidden: HiddenLines(findings.references.lines(in: file), overview))
        else { throw RequestError.notFound("such line in \(file)") }
        return try respond(page)
    }
}
