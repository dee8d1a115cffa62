import FeatureFlags
import FlagChanges
import FlagReferences
import Hummingbird

/// The places in source code that use a flag.
struct FlagUses: Hashable, PagePart {
    private static let limit = 200

    let summary: String
    let places: [Place]

    struct Place: Hashable, PagePart {
        let text: String
        let href: String
        let kind: String
    }

    /// Creates the uses of a flag; without findings, the first scan is still running.
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

    /// Names the unread files, at most three of them.
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
    /// Returns the uses of a flag, or `nil` without source code.
    func uses(of entry: FlagEntry) -> FlagUses? {
        source.map { FlagUses(of: entry.key, $0.findings) }
    }

    /// Shows the lines around a place, only of files that mention a visible flag, and without lines about internal
    /// ones.
    func sourcePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let file = query["file"] ?? ""
        let overview = try await service.overview()
        let view = view(of: overview, context)
        guard let source, let findings = source.findings else {
            throw RequestError.notFound("source file \(file) with flags")
        }
        let shown = findings.references.flags(in: file).filter { view.catalogue[$0.key] != nil }
        guard !shown.isEmpty else { throw RequestError.notFound("source file \(file) with flags") }
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
        else { throw RequestError.notFound("this line of \(file)") }
        return try respond(page)
    }
}
