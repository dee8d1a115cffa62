import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

/// The body is `{"changes": [{"key": "a/b", "action": "set", "value": 1, "revision": "…"}]}`.
extension Dashboard {
    func applyBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let body = try await JSONBody(request, members: APIOperation.applyBatch.memberNames)
        let changes = try Self.changes(in: body)
        let author = try author(of: request, confirming: try body.text("confirm"), context)
        if try body.bool("preview") == true {
            return respond(json: PreviewDocument(try await service.preview(ChangeRequest(changes, by: author))))
        }
        let outcomes = try await service.apply(ChangeRequest(changes, by: author))
        func document(_ pending: PendingRestart?) -> OutcomeListDocument {
            OutcomeListDocument(
                outcomes: zip(outcomes, changes).map { OutcomeDocument($0, of: $1.key, pending: pending) })
        }
        return try await answer(toMade: context) {
            respond(json: document(try await service.overview().pendingRestart))
        } orPlain: {
            respond(json: document(nil))
        }
    }

    private static func changes(in body: JSONBody) throws -> [Change] {
        guard case .array(let items)? = body["changes"], !items.isEmpty, items.count <= largestBatch else {
            throw JSONBody.malformed("\"changes\" must be an array of 1 to \(largestBatch) changes", [])
        }
        let reason = try body.text("reason") ?? ""
        var changes: [Change] = []
        for item in items { changes.append(try change(item, reason)) }
        return changes
    }

    package static let largestBatch = 10_000

    /// In bytes.
    package static let largestBatchSize = FormFields.maximumBytes

    private static func change(_ item: JSONValue, _ reason: String) throws -> Change {
        let names = APIOperation.batchFields
        let body = try JSONBody(item, members: names)
        guard let text = try body.text("key"), let key = FlagKeyPath(text: text) else {
            throw JSONBody.malformed("a change needs a \"key\" that is a valid key path", names)
        }
        let action: Change.Action
        let breaksValues = try body.bool("breaksValues")
        switch (try body.text("action"), body["value"], try body.text("text"), body["definition"], breaksValues) {
        case ("set", let value?, nil, nil, nil): action = .setJSON(JSONInput(value))
        case ("set", nil, let text?, nil, nil): action = .setText(text)
        case ("reset", nil, nil, nil, nil): action = .reset
        case ("lock", nil, nil, nil, nil): action = .lock
        case ("unlock", nil, nil, nil, nil): action = .unlock
        case ("define", nil, nil, let definition?, _):
            action = .define(try edit(definition, of: key, breaksValues: breaksValues ?? false))
        default:
            throw JSONBody.malformed(
                "the change to \(text) must be a \"set\" with a \"value\" or \"text\", a \"define\" with a "
                    + "\"definition\" and perhaps \"breaksValues\", or a \"reset\", \"lock\" or \"unlock\" with none of these",
                names)
        }
        return Change(
            key: key, action: action, provider: try body.text("provider"), revision: try revision(body, key, action),
            reason: reason)
    }

    /// `nil` for `*`, as in `If-Match`.
    private static func revision(
        _ body: JSONBody, _ key: FlagKeyPath, _ action: Change.Action
    ) throws(RequestError) -> FlagRevision? {
        let revision = try body.text("revision")
        if action.isAboutDefinition { return nil }
        guard let revision else {
            throw RequestError(
                .preconditionRequired, title: "Revision required",
                message: "The change to \(key) needs the revision that it is based on.",
                remedy: "Get the flag and send the provider’s revision. Send \"*\" to skip the check.")
        }
        return revision == "*" ? nil : FlagRevision(rawValue: revision)
    }
}
