import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func define(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        return try await keeping(fields) { try await define(fields, context) }
    }

    func editDefinition(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try definitionKey(of: request)
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        return try await keeping(fields, of: key) { try await editDefinition(key, fields, request, context) }
    }

    /// Lets a renamed flag stay a favourite of the one who renamed it.
    private func keepingFavourite(
        _ key: FlagKeyPath, as other: FlagKeyPath, _ request: Request, _ context: DashboardContext, _ answer: Response
    ) -> Response {
        guard context.memory.favourites.contains(key) else { return answer }
        var (favourites, response) = (context.memory.favourites, answer)
        favourites.rename(key, to: other)
        response.headers[.setCookie] = viewerCookie("favourites", of: request).setting(favourites.text)
        return response
    }

    /// Keeps the input in an error whose page can't be shown again.
    private func keeping(
        _ fields: FormFields, of key: FlagKeyPath? = nil, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch let cause where cause is ChangeError || cause is RequestError {
            throw RefusedForm(cause: cause, key: key, typed: TypedValue.all(DefinitionForm(fields)))
        }
    }

    func newDefinitionPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try requireDefiner(context)
        let view = view(of: try await service.overview(), context)
        try requireChangeable(view)
        let query = try FormFields(request.uri.query ?? "")
        if let original = query["from"] { return try await copyPage(original, view) }
        let key = query["key"] ?? ""
        let entry = FlagKeyPath(text: key).flatMap { view.catalogue[$0] }
        let inferred = entry?.isDefined == false ? entry?.definition.type : nil
        let form = DefinitionForm(
            key: key, type: query["type"].flatMap { FlagType(rawValue: $0) } ?? inferred ?? .bool,
            default: query["default"] ?? "")
        return try respond(DefinitionPage(frame: frame(view), new: form, in: view))
    }

    private func copyPage(_ text: String, _ view: CatalogueView) async throws -> Response {
        guard let key = FlagKeyPath(text: text) else { throw RequestError.notFound("flag \(text)") }
        guard view.catalogue[key] != nil, let stored = try await service.storedDefinition(of: key) else {
            throw ChangeError.unknown(key)
        }
        let form = DefinitionForm(copyOf: stored.definition, in: view.catalogue)
        return try respond(DefinitionPage(frame: frame(view), new: form, in: view))
    }

    private func define(_ fields: FormFields, _ context: DashboardContext) async throws -> Response {
        var form = DefinitionForm(fields)
        let text = form["key"].trimmingCharacters(in: .whitespacesAndNewlines)
        let key = text.isEmpty ? nil : FlagKeyPath(text: text)
        if key == nil {
            form.problems["key"] = DefinitionForm.keyProblem
        }
        if let key { form.check(key, in: try await service.shownFlags().catalogue) }
        let wanted = key ?? FlagKeyPath(components: [text])
        let original = try await original(of: form)
        let definition = form.definition(of: wanted, basedOn: original?.copied(to: wanted))
        guard let key, let definition else { return try await refused(form, .unprocessableContent, context) }
        let edit = DefinitionEdit(definition, breaksValues: form.isChecked("breaksValues"))
        do {
            let outcome = try await service.apply(
                Change(key: key, action: .define(edit), reason: form.reason),
                by: try context.author(.form, confirming: form.confirmation.environments))
            return try await answer(toMade: context) {
                try await redirect(to: key, .defined, outcome.record)
            } orPlain: {
                redirect(to: PageLink.flag(key))
            }
        } catch let error as ChangeError {
            form.take(error)
            return try await refused(form, error.status, context, cause: error)
        }
    }

    /// Returns the definition that a new flag is a copy of, with the parts that have no field.
    private func original(of form: DefinitionForm) async throws -> FlagDefinition? {
        guard let key = form.original.flatMap({ FlagKeyPath(text: $0) }) else { return nil }
        return try await service.storedDefinition(of: key)?.definition
    }

    private func refused(
        _ form: DefinitionForm, _ status: HTTPResponse.Status, _ context: DashboardContext, cause: ChangeError? = nil
    ) async throws -> Response {
        if let cause, cause.reason == .notAllowed { throw cause }
        try requireDefiner(context)
        var form = form
        form.problem = form.problem ?? form.ownProblem
        let view = view(of: try await service.overview(), context)
        return kept(try respond(DefinitionPage(frame: frame(view), new: form, in: view), status: status))
    }

    func definitionPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try definitionKey(of: request)
        try requireDefiner(context)
        let overview = try await service.overview()
        guard let entry = overview.catalogue[key] else { throw overview.flags.absence(of: key) }
        guard let stored = try await service.storedDefinition(of: key) else {
            return Response(status: .seeOther, headers: [.location: PageLink.newDefinition(of: key)])
        }
        let view = view(of: overview, context)
        try requireChangeable(view)
        return try respond(DefinitionPage(frame: frame(view), stored: stored, entry: entry, in: view))
    }

    private func editDefinition(
        _ key: FlagKeyPath, _ fields: FormFields, _ request: Request, _ context: DashboardContext
    ) async throws -> Response {
        guard let stored = try await service.storedDefinition(of: key) else { throw ChangeError.unknown(key) }
        let wish = DefinitionRequest(fields, stored)
        do {
            let change = try wish.change(of: key)
            let confirmed = SentConfirmation(fields).environments
            let outcome = try await service.apply(change, by: try context.author(.form, confirming: confirmed))
            let response = try await answer(toMade: context) {
                try await redirect(after: change, outcome)
            } orPlain: {
                redirect(to: PageLink.flag(key))
            }
            guard case .definition(.rename(let other)) = change.action else { return response }
            return keepingFavourite(key, as: other, request, context, response)
        } catch let error as ChangeError {
            if error.reason == .unknown || error.reason == .notAllowed { throw error }
            return try await refused(wish.refused(error), error.status, key, context)
        } catch let error as FormError<DefinitionRequest.Problems> {
            return try await refused(wish.refused(error), error.status, key, context)
        }
    }

    private func refused(
        _ refusal: DefinitionRequest.Problem, _ status: HTTPResponse.Status, _ key: FlagKeyPath,
        _ context: DashboardContext
    ) async throws -> Response {
        try requireDefiner(context)
        let overview = try await service.overview()
        guard let entry = overview.catalogue[key], let stored = try await service.storedDefinition(of: key) else {
            throw ChangeError.unknown(key)
        }
        let view = view(of: overview, context)
        let page = DefinitionPage(
            frame: frame(view), stored: stored, entry: entry, in: view, form: refusal.form,
            isConflict: refusal.isConflict, refused: refusal.other)
        return kept(try respond(page, status: status))
    }

    /// Lets a browser go back to the form, which no-store would prevent.
    private func kept(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    private func redirect(after change: Change, _ outcome: ChangeOutcome) async throws -> Response {
        guard case .applied(let record) = outcome else {
            return try await redirect(to: change.key, .definitionUnchanged)
        }
        switch change.action {
        case .definition(.remove):
            let batch = try service.history.records(
                batch: record.event.batch, hiddenKeys: try await service.shownFlags().hiddenKeys)
            let address = try await address(after: batch, back: PageLink.flags)
            return Response(status: .seeOther, headers: [.location: address])
        case .definition(.rename(let key)): return try await redirect(to: key, .renamed, record)
        case .definition(.retire(let reason)):
            return try await redirect(to: change.key, reason == nil ? .restored : .retired, record)
        default: return try await redirect(to: change.key, .redefined, record)
        }
    }

    /// Redirects to the flag's page with a notice, or to the list if the flag has become internal.
    private func redirect(
        to key: FlagKeyPath, _ outcome: SavedNotice.Outcome, _ record: HistoryRecord? = nil
    ) async throws -> Response {
        guard try await service.shownFlags().catalogue[key] != nil else {
            return Response(status: .seeOther, headers: [.location: PageLink.flags])
        }
        let notice = SavedNotice(outcome: outcome, provider: "", record: record)
        let address = PageLink.adding("saved", savedNotices.add(notice, about: key), to: PageLink.flag(key))
        return Response(status: .seeOther, headers: [.location: address])
    }

    private func definitionKey(of request: Request) throws -> FlagKeyPath {
        let path = request.uri.path
        let key =
            Route.definition.matches(path)
            ? Route.definition.key(in: path)
            : try FormFields(request.uri.query ?? "")["key"].flatMap { FlagKeyPath(text: $0) }
        guard let key else { throw RequestError.notFound("flag at \(request.uri.path)") }
        return key
    }

    /// Throws instead of showing a form that can't succeed.
    private func requireChangeable(_ view: CatalogueView) throws {
        guard let block = view.status.block else { return }
        throw RequestError(
            service.isReadOnly ? .forbidden : .serviceUnavailable, title: "Editing is unavailable", message: block,
            remedy: "You can still see the definition on the flag’s page.")
    }

    private func requireDefiner(_ context: DashboardContext) throws {
        if let server = service.definingServer { throw RequestError.defined(at: server) }
        if service.definesInCode { throw RequestError.definedInCode }
        guard context.visitor?.isAdmin == true else {
            throw RequestError(
                .forbidden, title: "Not allowed", message: "Only admins can change definitions.",
                remedy: "Ask an admin, or sign in with an admin’s token.")
        }
    }
}
