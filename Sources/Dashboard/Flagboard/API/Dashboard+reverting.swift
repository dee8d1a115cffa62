import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

/// The body is `{"scope": "batch", "reason": "why", "preview": true}`.
extension Dashboard {
    func revertChange(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let names = APIOperation.revertChange.memberNames
        let body = try await JSONBody(request, members: names)
        guard let scope = RevertRequest.Scope(rawValue: try body.text("scope") ?? RevertRequest.Scope.change.rawValue)
        else { throw JSONBody.malformed("\"scope\" must be \"change\" or \"batch\"", names) }
        let record = try record(context, try await service.overview())
        return try await revert(
            record, RevertRequest(reason: try body.text("reason") ?? "", scope: scope), body, request, context,
            answering: ["revert", .integer(Int128(record.id)), .string(scope.rawValue)])
    }

    /// Reverts the sender's last change with its batch.
    ///
    /// The reversal is then the last change, so a second undo restores it.
    func undoChange(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let body = try await JSONBody(request, members: APIOperation.undo.memberNames)
        let person = try context.author(.revert).name
        let overview = try await service.overview()
        let last = try service.history.lastChange(
            by: person, through: HistoryRecord.Origin.ofPeople, hiddenKeys: overview.hiddenKeys)
        guard let last else {
            throw RequestError(
                .notFound, title: "Nothing to undo",
                message: "\(ShownValue(.string(person)).inSentence) has no change that can be undone.",
                remedy: "To revert a change by someone else, use its number in the history.")
        }
        let scope = last.count > 1 ? RevertRequest.Scope.batch : .change
        return try await revert(
            last.record, RevertRequest(reason: try body.text("reason") ?? "", scope: scope), body, request, context,
            answering: ["undo"])
    }

    // The wish is compared, not the planned changes: for a repeated undo, another change is the last one.
    private func revert(
        _ record: HistoryRecord, _ wish: RevertRequest, _ body: JSONBody, _ request: Request,
        _ context: DashboardContext, answering question: [FlagValue]
    ) async throws -> Response {
        let changes = try plan(wish, of: record, try await service.overview()).changes
        let author = try author(of: request, as: .revert, confirming: try body.text("confirm"), context)
        let asked = ChangeRequest(
            changes, by: author, answering: .array(question + [.string(wish.reason)]))
        if try body.bool("preview") == true {
            return respond(json: PreviewDocument(try await service.preview(asked)))
        }
        let outcomes = try await service.apply(asked)
        func document(_ pending: PendingRestart?) -> OutcomeListDocument {
            OutcomeListDocument(
                outcomes: outcomes.map {
                    OutcomeDocument($0, of: $0.record?.event.key ?? record.event.key, pending: pending)
                })
        }
        return try await answer(toMade: context) {
            respond(json: document(try await service.overview().pendingRestart))
        } orPlain: {
            respond(json: document(nil))
        }
    }
}

extension HistoryRecord.Origin {
    fileprivate static let ofPeople: [Self] = [.form, .api, .cli, .import, .revert]
}
