import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func exportPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        let search = try ExportSearch(request, in: view)
        let providers = view.catalogue.providers
        let files = providers.filter(\.isFile)
        let others = files.dropFirst().map { link(.values(of: $0.name), isMissing: $0.problem != nil) }
        let ofFlags =
            [link(.values, isMissing: files.first?.problem != nil)] + others
            + [.effective, .text]
            + (try await manifestLinks())
        let links = search == nil ? ofFlags + [.historyCSV, .historyJSONL] : ofFlags
        return try respond(ExportPage(frame: frame(view), search: search, links: links))
    }

    func exportValues(_ format: ExportFormat) -> Route.Answer {
        { request, context in
            let provider = try FormFields(request.uri.query ?? "")[ExportLink.provider]
                .flatMap { $0.isEmpty ? nil : $0 }
            if let provider, !service.files.providers.contains(where: { $0.name == provider }) {
                throw RequestError.noProvider(provider, of: service.files.providers.map(\.name))
            }
            let search = try await search(request, context)
            let (data, broken) = try await service.exportedValues(of: provider, only: search?.keys, as: format)
            let name = provider.map(ExportLink.fileName) ?? "flags"
            return download(data, as: "\(name).\(format.rawValue)", type: format.mediaType, broken)
        }
    }

    func exportEffective(_ format: ExportFormat) -> Route.Answer {
        { request, context in
            let search = try await search(request, context)
            let (data, broken) = try await service.exportedEffectiveValues(only: search?.keys, as: format)
            return download(data, as: "effective.\(format.rawValue)", type: format.mediaType, broken)
        }
    }

    func exportManifest(_ format: ExportFormat) -> Route.Answer {
        { request, context in
            let search = try await search(request, context)
            guard let manifest = try await service.exportedManifest(only: search?.keys, as: format) else {
                throw RequestError.notFound("manifest")
            }
            return download(manifest, as: "manifest.\(format.rawValue)", type: format.mediaType)
        }
    }

    func exportHistoryCSV(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let hasMark = try Self.switched(Self.byteOrderMark, FormFields(request.uri.query ?? ""))
        return try await download(
            HistoryCSV(hasByteOrderMark: hasMark), request, context, as: "history.csv", type: "text/csv; charset=utf-8")
    }

    /// The flags of a search as lines of text, in the order of the list, to be read or sent to somebody.
    func flagsText(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let overview = try await service.overview()
        if let ignorance = overview.flags.ignorance { throw ignorance }
        let view = view(of: overview, context)
        let search = try ExportSearch(request, in: view)
        let entries = view.catalogue.entries.filter { search?.keys.contains($0.key) ?? true }
        let lines = entries.map { entry in
            entry.state.summary(
                of: entry.definition.groups.map(view.name) + [entry.definition.shownName],
                entry.resolution.effectiveValue) + "\n"
        }
        var response = Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines.joined())))
        let broken = entries.brokenSources
        if !broken.isEmpty { response.headers[.brokenSources] = Self.headerText(of: broken) }
        return response
    }

    /// The query parameter that adds a byte order mark to the CSV.
    static let byteOrderMark = "bom"

    func exportHistoryJSONL(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await download(
            HistoryJSONLines(), request, context, as: "history.jsonl", type: "application/jsonl; charset=utf-8")
    }

    /// Returns the broken sources and their problems as a JSON object in ASCII, as header fields must be.
    private static func headerText(of broken: [String: String]) -> String {
        FlagJSON.line(.dictionary(broken.mapValues(FlagValue.string))).unicodeScalars.map { scalar in
            scalar.isASCII
                ? String(scalar) : String(scalar).utf16.map { String(format: "\\u%04x", $0) }.joined()
        }.joined()
    }

    private func search(_ request: Request, _ context: DashboardContext) async throws -> ExportSearch? {
        guard request.uri.query?.isEmpty == false else { return nil }
        return try ExportSearch(request, in: view(of: try await service.overview(), context))
    }

    private static let unreadable = "This file can’t be read. Fix it to download it."

    private func link(_ link: ExportLink, isMissing: Bool) -> ExportLink {
        isMissing ? link.missing(because: Self.unreadable) : link
    }

    /// Returns the manifest's link if there is a manifest, even an unreadable one.
    private func manifestLinks() async throws -> [ExportLink] {
        do {
            return try await service.exportedManifest() == nil ? [] : [.manifest]
        } catch let refusal where refusal.reason == .unavailable {
            return [.manifest.missing(because: Self.unreadable)]
        }
    }

    private func download(
        _ data: Data, as name: String, type: String, _ brokenSources: [String: String] = [:]
    ) -> Response {
        var headers = headers(name, type)
        if !brokenSources.isEmpty { headers[.brokenSources] = Self.headerText(of: brokenSources) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Streams the matching rows, oldest first and one portion at a time.
    private func download(
        _ format: some HistoryFormat, _ request: Request, _ context: DashboardContext, as name: String, type: String
    ) async throws -> Response {
        let filter = HistoryFilter(
            query: try FormFields(request.uri.query ?? "").values, lastVisit: context.memory.lastVisit)
        guard let query = filter.historyQuery(hiddenKeys: try await service.shownFlags().hiddenKeys) else {
            throw RequestError(
                .badRequest, title: "Invalid query", message: filter.problems.joined(separator: " "),
                remedy: "Fix the query and try again.")
        }
        let history = service.history
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: format.header))
            var last: Int64 = 0
            while true {
                let portion = try history.portion(matching: query, after: last)
                var text = ""
                for record in portion.records { text += try format.line(of: record) }
                try await writer.write(ByteBuffer(string: text))
                guard let end = portion.end else { break }
                last = end
                await Task.yield()
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

extension ExportFormat {
    fileprivate var mediaType: String {
        switch self {
        case .propertyList: "application/xml"
        case .json: "application/json"
        }
    }
}

enum DownloadName {
    /// Returns ASCII letters and digits in camel case, so that `new_flow` becomes `newFlow`.
    ///
    /// - Parameter fallback: The name for a text without letters and digits, and the prefix before a leading digit.
    static func plain(_ text: String, or fallback: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.enumerated().map { place, word in
            place == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        guard let first = joined.first else { return fallback }
        return first.isNumber ? fallback + joined : joined
    }
}
