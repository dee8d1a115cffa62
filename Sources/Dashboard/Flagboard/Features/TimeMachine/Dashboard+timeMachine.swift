import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func timeMachine(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let filter = PastFilter(query: try FormFields(request.uri.query ?? "").values, now: clock())
        // The address must name the time itself, to mean the same on another day.
        if filter.isPicked, filter.instant != nil { return redirect(to: filter.href) }
        return try await Self.matrixPage(of: PastFlags.self)(self)(request, context)
    }

    /// `nil` without a chosen moment.
    func past(_ filter: PastFilter) async throws -> PastState? {
        guard let instant = filter.instant else { return nil }
        if let past = try await service.flags(at: instant) { return past }
        guard case .before(let row) = instant else { return nil }
        if let anchor = try service.history.anchor(ofRow: row) { throw RequestError.archived(row, anchor) }
        throw RequestError.notFound("change \(row)")
    }

    func pastValues(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await pastValues(request, ending: "xml", type: "application/xml") { document, _ in document.source }
    }

    func pastJSON(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await pastValues(request, ending: "json", type: "application/json") { document, flags in
            let keys = Set(flags.entries.filter { $0.definition.type == .json }.map(\.key))
            return ExportFormat.file(FlagJSON.json(document.root, jsonFlags: keys))
        }
    }

    private func pastValues(
        _ request: Request, ending: String, type: String, content: (PropertyListDocument, FlagCatalogue) -> Data
    ) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let filter = PastFilter(query: query.values, now: clock())
        guard let past = try await past(filter), past.moment.isKnown else {
            throw RequestError.noPastState(filter.problems)
        }
        let files = past.now.providers.filter(\.isFile)
        let provider = query["provider"] ?? files.first?.name ?? ""
        guard let document = try past.values(of: provider) else {
            throw RequestError.noProvider(provider, of: files.map(\.name))
        }
        let place = files.firstIndex { $0.name == provider } ?? 0
        let stamp = (FlagDate.wholeSecondText(past.time) ?? "then").filter { $0 != ":" }
        let name = "flags\(place == 0 ? "" : "-provider-\(place + 1)")-\(stamp).\(ending)"
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: content(document, past.then))))
    }
}
