import FeatureFlags
import FlagChanges
import FlagReferences
import Hummingbird

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
