import FeatureFlags
import FlagChanges
import FlagReferences
import Foundation
import Hummingbird

struct FlagUses: Hashable, PagePart {
    private static let limit = 200
    /// The places whose line of code is shown.
    static let excerpts = 10

    let summary: String
    let places: [Place]

    struct Place: Hashable, PagePart {
        let text: String
        let href: String
        let kind: String
        /// The line of code; `nil` beyond the first places, and where it can't be shown.
        let code: String?
    }

    /// Without findings, the first scan is still running.
    init(of key: FlagKeyPath, _ findings: SourceIndex.Findings?, code: [String: SourceLines] = [:]) {
        let found = findings?.references.places[key] ?? []
        places = found.prefix(Self.limit).enumerated().map { number, reference in
            let line = reference.position.line
            return Place(
                text: "\(reference.file):\(line)", href: PageLink.source(reference.file, line: line),
                kind: Self.words(reference.kind),
                code: number < Self.excerpts
                    ? code[reference.file]?[line]?.trimmingCharacters(in: .whitespaces) : nil)
        }
        let told =
            switch findings {
            case nil: "Reading the source code. Reload the page in a moment."
            case let findings? where found.isEmpty:
                "No references in \(findings.count == 1 ? "1 file" : "\(findings.count) files")."
            case _ where found.count > Self.limit: "First \(Self.limit) of \(found.count) references."
            case _ where found.allSatisfy({ $0.kind == .declaration }): "Declared, but not used."
            case _ where !found.contains(where: \.kind.isUse):
                "No known uses, only declarations with the same name."
            default: "\(found.count) reference\(found.count == 1 ? "" : "s")."
            }
        summary = ([told] + Self.unread(findings?.problems ?? [])).joined(separator: " ")
    }

    /// Names the unread files, at most three of them.
    private static func unread(_ problems: [SourceProblem]) -> [String] {
        problems.prefix(3).map { "Couldn’t read \($0.file): \($0.reason)." }
            + (problems.count > 3 ? ["\(problems.count - 3) more couldn’t be read."] : [])
    }

    private static func words(_ kind: FlagReference.Kind) -> String {
        switch kind {
        case .declaration: "declaration"
        case .key: "key path"
        case .property: "usage"
        case .possible: "possible usage"
        case .namesake: "same name"
        case .namesakeDeclaration: "declaration, same name"
        }
    }
}

extension Dashboard {
    /// `nil` without source code.
    func uses(of entry: FlagEntry, _ overview: FlagOverview) -> FlagUses? {
        guard let source else { return nil }
        guard let findings = source.findings else { return FlagUses(of: entry.key, nil) }
        let files = Set((findings.references.places[entry.key] ?? []).prefix(FlagUses.excerpts).map(\.file))
        var code: [String: SourceLines] = [:]
        for file in files {
            do throws(SourceProblem) {
                let text = try source.folder.text(of: file)
                guard findings.isOf(text, in: file) else { continue }
                code[file] = SourceLines(text, hidden: HiddenLines(findings.references.lines(in: file), overview))
            } catch {
                // The file went since it was read: the next reading of the folder says so.
                continue
            }
        }
        return FlagUses(of: entry.key, findings, code: code)
    }

    /// Serves only files that mention a visible flag, without lines about internal ones.
    func sourcePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let file = query["file"] ?? ""
        let overview = try await service.overview()
        let view = view(of: overview, context)
        guard let source, let findings = source.findings else {
            throw RequestError.notFound("source file \(file)")
        }
        let shown = findings.references.flags(in: file).filter { view.catalogue[$0.key] != nil }
        guard !shown.isEmpty else { throw RequestError.notFound("source file \(file)") }
        let text: String
        do throws(SourceProblem) {
            text = try source.folder.text(of: file)
        } catch {
            throw RequestError(
                .notFound, title: "File unavailable", message: "Can’t show \(file): \(error.reason).",
                remedy: "Check that the file still exists.")
        }
        guard findings.isOf(text, in: file) else {
            throw RequestError(
                .conflict, title: "File changed", message: "\(file) changed and is being read again.",
                remedy: "Reload the page in a moment.")
        }
        guard
            let page = SourcePage(
                frame: frame(view), file: file, line: query["line"].map { Int($0) ?? 0 } ?? 1,
                source: SourceLines(text, hidden: HiddenLines(findings.references.lines(in: file), overview)),
                flags: shown)
        else { throw RequestError.notFound("line \(query["line"] ?? "1") of \(file)") }
        return try respond(page)
    }
}
