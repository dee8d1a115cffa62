import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func flagDocuments(_ request: Request, _ context: DashboardContext) async throws -> Response {
        // The router drops empty components, so a key path of only those arrives here.
        if Route.apiFlag.matches(request.uri.path) { return try await flagDocument(request, context) }
        let query = try FormFields(request.uri.query ?? "")
        let portion = try FlagPortion(query: query)
        let filter = FlagFilter(query: query.values)
        guard filter.problems.isEmpty else { throw Self.unreadable(filter.problems) }
        if filter.followsFromFiles, let known = EntityTags(knownBy: request),
            let version = try await service.shownFlags().versionOfAllValues, known.includes(version.revision)
        {
            return Response(
                status: .notModified, headers: [.cacheControl: "no-store", .eTag: version.revision.weakEntityTag])
        }
        let overview = try await service.overview()
        if let ignorance = overview.flags.ignorance { throw ignorance }
        let found = try portion.flags(
            of: filter, in: view(of: overview, context), try await lastChanges(for: filter.sort, overview))
        var response = respond(FlagDocuments(found.flags, next: found.next), to: request)
        // The answer depends on the files alone, so their version identifies it.
        if filter.followsFromFiles, let version = overview.flags.versionOfAllValues {
            response.headers[.eTag] = version.revision.weakEntityTag
        }
        return response
    }

    func flagDocument(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try apiKey(of: request)
        let query = try FormFields(request.uri.query ?? "")
        let overview = try await service.overview()
        guard let entry = overview.catalogue[key] else { throw overview.flags.absence(of: key) }
        if let provider = query["provider"], !overview.catalogue.providers.contains(where: { $0.name == provider }) {
            throw RequestError.noProvider(provider, of: overview.catalogue.providers.map(\.name))
        }
        return respond(
            json: FlagDocument(entry), revision: entry.revision(in: query["provider"], of: overview.catalogue))
    }

    func setFlag(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let names = APIOperation.setFlag.memberNames
        let body = try await JSONBody(request, members: names)
        let action: Change.Action
        switch (body["value"], try body.text("text")) {
        case (let value?, nil): action = .setJSON(JSONInput(value))
        case (nil, let text?): action = .setText(text)
        case (nil, nil):
            throw JSONBody.malformed("\"value\" is missing; to remove a value, send DELETE", names)
        case (.some, .some):
            throw JSONBody.malformed("it has both \"value\" and \"text\"; send only one of them", names)
        }
        let query = try FormFields(request.uri.query ?? "")
        let (named, asked) = (query["provider"], try body.text("provider"))
        guard named == nil || asked == nil || named == asked else {
            throw Self.unreadable(["The provider in the query differs from the one in the body."])
        }
        return try await change(
            action, request, provider: asked ?? named, reason: try body.text("reason"),
            confirming: try body.text("confirm"), context)
    }

    func resetFlag(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        return try await change(
            .reset, request, provider: query["provider"], reason: query["reason"], confirming: query["confirm"], context
        )
    }

    private func change(
        _ action: Change.Action, _ request: Request, provider: String?, reason: String?, confirming: String?,
        _ context: DashboardContext
    ) async throws -> Response {
        let key = try apiKey(of: request)
        var change = Change(key: key, action: action, provider: provider, reason: reason ?? "")
        change.revisions = try EntityTags(of: request).named
        let author = try author(of: request, confirming: confirming, context)
        let outcome = try await service.apply(change, by: author)
        return try await answer(toMade: context) {
            let overview = try await service.overview()
            return respond(
                json: OutcomeDocument(outcome, of: key, overview.catalogue[key], pending: overview.pendingRestart),
                revision: outcome.revision)
        } orPlain: {
            respond(json: OutcomeDocument(outcome, of: key, pending: nil), revision: outcome.revision)
        }
    }

    /// `names` are environments whose change the request confirms, separated by commas.
    func author(
        of request: Request, as origin: HistoryRecord.Origin? = nil, confirming names: String? = nil,
        _ context: DashboardContext
    ) throws -> ChangeAuthor {
        var author = try context.author(
            origin ?? access.origin, confirming: SentConfirmation.environments(in: names ?? ""))
        author.idempotencyKey = try Self.idempotencyKey(of: request)
        return author
    }

    func changeDocuments(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let limit = try FlagPortion.limit(query)
        let filter = HistoryFilter(query: query.values)
        let overview = try await service.overview()
        let asked = filter.historyQuery(hiddenKeys: overview.hiddenKeys, limit: limit ?? 50)
        guard let asked else { throw Self.unreadable(filter.problems) }
        let page = try service.history.page(asked)
        return respond(json: HistoryDocument(page, altered: service.history.alteredRows))
    }

    func changeDocument(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let hidden = try await service.shownFlags().hiddenKeys
        let record = try recordForPrograms(context, hidden)
        let notes = try service.history.notes(on: [record], hiddenKeys: hidden)[record.id] ?? []
        return respond(json: ChangeDocument(record, notes: notes))
    }

    func addNote(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let names = APIOperation.addNote.memberNames
        guard let reason = try await JSONBody(request, members: names).text("reason") else {
            throw JSONBody.malformed("\"reason\" is missing", names)
        }
        let record = try recordForPrograms(context, try await service.shownFlags().hiddenKeys)
        let author = try author(of: request, context)
        let outcome = try await service.apply(.note(on: record, reason: reason), by: author)
        return respond(json: OutcomeDocument(outcome, of: record.event.key, pending: nil))
    }

    private func recordForPrograms(_ context: DashboardContext, _ hidden: HiddenKeys) throws -> HistoryRecord {
        let id = context.parameters.get("id") ?? ""
        guard let number = Int64(id) else { throw RequestError.notFound("change \(id)") }
        return try record(number, hidden)
    }

    private func apiKey(of request: Request) throws -> FlagKeyPath { try Self.key(of: request, at: .apiFlag) }

    static func key(of request: Request, at route: Route) throws(RequestError) -> FlagKeyPath {
        guard let key = route.key(in: request.uri.path) else {
            throw RequestError.notFound("flag at \(request.uri.path)")
        }
        return key
    }

    static func idempotencyKey(of request: Request) throws(RequestError) -> String? {
        let keys = request.headers[values: .idempotencyKey]
        // Visible ASCII without spaces, as the API description states.
        let isPlain = { (key: String) in
            (1...255).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        guard keys.count <= 1, keys.allSatisfy(isPlain) else {
            throw RequestError(
                .badRequest, .unreadableHeader, title: "Invalid Idempotency-Key",
                message: "Idempotency-Key must be 1 to 255 visible ASCII characters.",
                remedy: "Send a new one, such as a UUID, with each new request. Send the same one to repeat a request.")
        }
        return keys.first
    }
}

extension FlagFilter {
    /// The result and its order depend on the files alone, not on the time or the history.
    fileprivate var followsFromFiles: Bool {
        !sort.isByChange && marks.isDisjoint(with: [.expired, .expiring, .stale, .waiting])
    }
}

extension FilesVersion {
    fileprivate var revision: FlagRevision { FlagRevision(rawValue: rawValue) }
}

extension FlagEntry {
    fileprivate func revision(in provider: String?, of catalogue: FlagCatalogue) -> FlagRevision? {
        (provider ?? catalogue.usualProvider(for: key)?.name).flatMap { revisions[$0] }
    }
}

extension ChangeOutcome {
    /// The revision this change made, not the current one: the next change must not overwrite someone else's.
    var revision: FlagRevision? {
        if case .applied(let record) = self { FlagRevision(of: record.event.after) } else { nil }
    }
}

extension EntityTags {
    /// Reads `If-Match`; throws 428 if it is missing and 400 if it can't be read.
    ///
    /// `subject` is what the ETag is of.
    init(of request: Request, _ subject: String = "flag") throws(RequestError) {
        let headers = request.headers[values: .ifMatch]
        guard !headers.isEmpty else {
            throw RequestError(
                .preconditionRequired, title: "If-Match required",
                message: "A change needs the revision that it is based on, so that no other change is overwritten.",
                remedy: "Get the \(subject) and send its ETag as If-Match. Send If-Match: * to skip the check.")
        }
        guard let tags = EntityTags(headers.joined(separator: ",")) else {
            throw RequestError(
                .badRequest, .unreadableHeader, title: "Invalid If-Match",
                message: "If-Match must be a list of entity tags.",
                remedy: "Send the flag’s ETag exactly as received, with its quotation marks.")
        }
        self = tags
    }
}

extension Dashboard {
    func providerDocuments(_ request: Request, _ context: DashboardContext) async throws -> Response {
        respond(json: ProviderListDocument(try await service.shownFlags().catalogue, of: service.files))
    }

    func exportDocument(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let name = context.parameters.get("file") ?? ""
        let route = Route.downloads.first { $0.fileName == name }
        guard let route, let answer = route.handlers[.get]?(self) else {
            throw RequestError(
                .notFound, title: "Not found", message: "Export not found.",
                remedy: "Available exports: \(Route.downloads.map(\.fileName).joined(separator: ", ")).")
        }
        try Self.check(try FormFields(request.uri.query ?? ""), against: APIOperation.exportQuery(of: route))
        return try await answer(request, context)
    }
}
