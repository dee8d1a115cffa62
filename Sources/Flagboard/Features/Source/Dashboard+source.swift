import FeatureFlags
import FlagChanges
import FlagReferences
import Hummingbird

extension Dashboard {
    /// Where source code is about a flag; `nil` where there is none to look at.
    func uses(of entry: FlagEntry) -> FlagUses? {
        source.map { FlagUses(of: entry.key, $0.findings) }
    }

    /// The lines around a place in a file that is about some flag that may be seen; no other file is shown.
    func sourcePage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let file = query["file"] ?? ""
        let view = view(of: try await service.overview(), context)
        guard let source, let references = source.findings?.references.flags(in: file) else {
            throw RequestError.notFound("source file \(file) that is about a flag")
        }
        let shown = references.filter { view.catalogue[$0.key] != nil }
        guard !shown.isEmpty else { throw RequestError.notFound("source file \(file) that is about a flag") }
        let text: String
        do throws(SourceProblem) {
            text = try source.folder.text(of: file)
        } catch {
            throw RequestError(
                .notFound, title: "Not readable", message: "\(file) can’t be shown: \(error.reason).",
                remedy: "See whether the file is still there.")
        }
        guard
            let page = SourcePage(
                frame: frame(view), file: file, line: query["line"].map { Int($0) ?? 0 } ?? 1, text: text, flags: shown)
        else { throw RequestError.notFound("such line in \(file)") }
        return try respond(page)
    }
}
