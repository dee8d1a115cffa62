import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

extension Dashboard {
    func definitionDocuments(_ request: Request, _ context: DashboardContext) async throws -> Response {
        // The router drops empty components, so a key path of only those arrives here.
        if Route.apiDefinition.matches(request.uri.path) { return try await definitionDocument(request, context) }
        let query = try FormFields(request.uri.query ?? "")
        let portion = try FlagPortion(query: query)
        let filter = FlagFilter(query: query.values)
        guard filter.problems.isEmpty else { throw Self.unreadable(filter.problems) }
        let overview = try await service.overview()
        let found = try portion.flags(
            of: filter, in: view(of: overview, context), try await lastChanges(for: filter.sort, overview))
        let stored = try await service.storedDefinitions(of: found.flags.filter { $0.isDefined }.map { $0.key })
        return respond(
            json: DefinitionListDocument(definitions: stored.map(DefinitionDocument.init), after: found.next?.text))
    }

    func definitionDocument(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try Self.key(of: request, at: .apiDefinition)
        guard let stored = try await service.storedDefinition(of: key) else {
            let flags = try await service.shownFlags()
            guard flags.catalogue[key] != nil else { throw flags.absence(of: key) }
            throw RequestError(
                .notFound, .noDefinition, title: "No definition",
                message: "\(key) has a value but no definition.",
                remedy: "To define it, PUT a definition here with If-None-Match: *.")
        }
        return respond(json: DefinitionDocument(stored), revision: stored.revision)
    }

    /// Creates under `If-None-Match: *`, changes under `If-Match`.
    func putDefinition(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try Self.key(of: request, at: .apiDefinition)
        let members = APIOperation.putDefinition.memberNames
        let body = try await JSONBody(request, members: members)
        guard let json = body["definition"] else {
            throw JSONBody.malformed("\"definition\" is missing", members)
        }
        let edit = try Self.edit(json, of: key, breaksValues: try body.bool("breaksValues") ?? false)
        let (reason, confirming) = (try body.text("reason"), try body.text("confirm"))
        guard request.headers[values: .ifNoneMatch].isEmpty else {
            guard request.headers[values: .ifMatch].isEmpty, EntityTags(knownBy: request) == .any else {
                throw RequestError(
                    .badRequest, .unreadableHeader, title: "Invalid If-None-Match",
                    message: "If-None-Match must be *, without If-Match.",
                    remedy:
                        "To define a flag, send If-None-Match: *. To change its definition, send its ETag as If-Match.")
            }
            do {
                return try await change(
                    .define(edit), of: key, request, reason: reason, confirming: confirming, revisions: nil, context)
            } catch let refusal as ChangeError where refusal.reason == .invalid && refusal.problems["key"] != nil {
                guard try await service.storedDefinition(of: key) != nil else { throw refusal }
                throw RequestError(
                    .preconditionFailed, .definedAlready, title: "Already defined",
                    message:
                        "\(key) already has a definition.",
                    remedy: "To change it, get it and send its ETag as If-Match.")
            }
        }
        let revisions = try EntityTags(of: request, "definition").named
        return try await change(
            .redefine(edit), of: key, request, reason: reason, confirming: confirming, revisions: revisions, context)
    }

    /// `breaksValues` allows a definition that makes a stored value invalid.
    static func edit(_ json: JSONValue, of key: FlagKeyPath, breaksValues: Bool) throws -> DefinitionEdit {
        let names = ManifestField.Place.flag.fields.filter { $0 != .key }.map(\.rawValue)
        return try DefinitionEdit(key: key, json: try JSONBody(json, members: names).all, breaksValues: breaksValues)
    }

    func moveDefinition(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try Self.key(of: request, at: .apiDefinition)
        let names = APIOperation.moveDefinition.memberNames
        let body = try await JSONBody(request, members: names)
        let reason = try body.text("reason") ?? ""
        let action: Change.Action
        switch (try body.text("action"), try body.text("newKey")) {
        case ("rename", let text?):
            guard let new = FlagKeyPath(text: text) else {
                throw JSONBody.malformed("\"newKey\" must be a valid key path", names)
            }
            action = .rename(new)
        case ("retire", nil): action = .retire(reason)
        case ("restore", nil): action = .retire(nil)
        default:
            throw JSONBody.malformed(
                "\"action\" must be \"rename\" with a \"newKey\", or \"retire\" or \"restore\" without one", names)
        }
        let revisions = try EntityTags(of: request, "definition").named
        return try await change(
            action, of: key, request, reason: reason, confirming: try body.text("confirm"), revisions: revisions,
            context)
    }

    func deleteDefinition(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try Self.key(of: request, at: .apiDefinition)
        let query = try FormFields(request.uri.query ?? "")
        let keepsValues = try Self.switched("keepValues", query)
        return try await change(
            .remove(withValues: !keepsValues), of: key, request, reason: query["reason"],
            confirming: query["confirm"], revisions: try EntityTags(of: request, "definition").named, context)
    }

    private func change(
        _ action: Change.Action, of key: FlagKeyPath, _ request: Request, reason: String?,
        confirming: String?, revisions: [FlagRevision]?, _ context: DashboardContext
    ) async throws -> Response {
        var change = Change(key: key, action: action, reason: reason ?? "")
        change.revisions = revisions
        let outcome = try await service.apply(change, by: try author(of: request, confirming: confirming, context))
        let place = if case .definition(.rename(let new)) = action { new } else { key }
        let made = outcome.definition
        return try await answer(toMade: context) {
            // Nothing changed, so the stored definition is the requested one.
            let stored = outcome == .unchanged ? try await service.storedDefinition(of: place) : made
            return respond(json: DefinitionOutcomeDocument(outcome, stored), revision: stored?.revision)
        } orPlain: {
            respond(json: DefinitionOutcomeDocument(outcome, made), revision: made?.revision)
        }
    }
}

extension ChangeOutcome {
    /// The definition this change made, not the current one: the next change must not overwrite someone else's.
    fileprivate var definition: StoredDefinition? {
        guard case .applied(let record) = self, case .dictionary(let entry)? = record.event.after,
            let definition = FlagDefinition(manifestEntry: entry)
        else { return nil }
        return StoredDefinition(definition: definition, revision: FlagRevision(of: record.event.after))
    }
}
