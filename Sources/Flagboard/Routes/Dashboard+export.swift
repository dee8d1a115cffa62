import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func addExportRoutes(to router: Router<DashboardContext>) {
        router.get(Routes.export) { _, context in try await exportPage(context) }
        router.get(Routes.valuesExport) { _, _ in
            download(try await service.exportedValues(), as: "flags.xml", type: "application/xml")
        }
        router.get(Routes.effectiveExport) { _, _ in
            download(try await service.exportedEffectiveValues(), as: "effective.xml", type: "application/xml")
        }
        router.get(Routes.manifestExport) { _, _ in
            guard let manifest = try await service.exportedManifest() else {
                throw RequestRefusal.notFound("manifest beside the values file")
            }
            return download(manifest, as: "manifest.xml", type: "application/xml")
        }
        router.get(Routes.historyCSVExport) { request, _ in
            try await download(HistoryCSV(), request, as: "history.csv", type: "text/csv; charset=utf-8")
        }
        router.get(Routes.historyJSONLinesExport) { request, _ in
            try await download(
                HistoryJSONLines(), request, as: "history.jsonl", type: "application/jsonl; charset=utf-8")
        }
    }

    private func exportPage(_ context: DashboardContext) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        let providers = view.catalogue.providers
        let links =
            [
                link(.values, isMissing: providers.first?.problem != nil),
                link(.effective, isMissing: providers.contains { $0.problem != nil }),
            ] + (try await manifestLinks()) + [.historyCSV, .historyJSONL]
        return try respond(ExportPage(frame: frame(view), links: links))
    }

    private static let unreadable = "The file can’t be read now. The download is back as soon as it is repaired."

    private func link(_ link: ExportLink, isMissing: Bool) -> ExportLink {
        isMissing ? link.missing(because: Self.unreadable) : link
    }

    /// The manifest's download where there is a manifest, if only one that can't be read now.
    private func manifestLinks() async throws -> [ExportLink] {
        do {
            return try await service.exportedManifest() == nil ? [] : [.manifest]
        } catch let refusal where refusal.reason == .unavailable {
            return [.manifest.missing(because: Self.unreadable)]
        }
    }

    private func download(_ data: Data, as name: String, type: String) -> Response {
        Response(
            status: .ok, headers: headers(name, type), body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Streams the rows of the history that the query asks for, as the history's page does, oldest first, a page at a time.
    private func download(
        _ format: some HistoryFormat, _ request: Request, as name: String, type: String
    ) async throws -> Response {
        let filter = HistoryFilter(query: try FormFields(request.uri.query ?? "").values)
        guard let query = filter.historyQuery(hiddenKeys: try await service.overview().hiddenKeys) else {
            throw RequestRefusal(
                .badRequest, title: "Unreadable query", message: filter.problems.joined(separator: " "),
                remedy: "Correct the query and ask again.")
        }
        let history = service.history
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: format.header))
            var last: Int64 = 0
            while true {
                let records = try history.records(matching: query, after: last)
                guard let newest = records.last else { break }
                var text = ""
                for record in records { text += try format.line(of: record) }
                try await writer.write(ByteBuffer(string: text))
                last = newest.id
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers(name, type), body: body)
    }

    private func headers(_ name: String, _ type: String) -> HTTPFields {
        [
            .contentType: type, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(name)\"",
        ]
    }
}
