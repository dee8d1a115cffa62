import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// Several changes at once: whoever proposes them shows them with ``preview(_:_:)``, and its form makes them.
extension Dashboard {
    /// How large the form of a batch may be, in bytes.
    private static let largestForm = 16 * 1024 * 1024

    func addBatchPageRoute(to router: Router<DashboardContext>) {
        router.post(Routes.batch) { request, context in try await makeBatch(request, context) }
    }

    /// A page that shows what changes would do, with the form that makes them; nothing is changed.
    func preview(_ proposal: BatchProposal, _ context: DashboardContext) async throws -> Response {
        let previews = try await service.preview(proposal.changes, by: try context.author(proposal.origin))
        return try await respond(proposal, previews, context)
    }

    private func makeBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try BatchForm(try await FormFields(request, upTo: Self.largestForm))
        var author = try context.author(form.proposal.origin)
        author.idempotencyKey = form.idempotencyKey
        var proposal = form.proposal
        if case .allowed(let count) = form.extent {
            let previews = try await service.preview(proposal.changes, by: author)
            let allowed = zip(proposal.changes, previews).filter { $0.1.refusal == nil && !$0.1.changesNothing }
            // What was agreed to is what the page showed; where that has changed, it is shown anew.
            guard allowed.count == count else {
                return try await respond(proposal, previews, context, status: .conflict)
            }
            proposal.changes = allowed.map(\.0)
        }
        do {
            let outcomes = try await service.apply(batch: proposal.changes, by: author)
            return Response(status: .seeOther, headers: [.location: address(after: outcomes, back: proposal.back)])
        } catch  where error.changes.isEmpty {
            throw error.cause
        } catch {
            return try await respond(proposal, error.changes, context, status: error.cause.status)
        }
    }

    /// The first of the changes that were made, with a notice that leads back; where there is none, back.
    private func address(after outcomes: [ChangeOutcome], back: String) -> String {
        let records = outcomes.compactMap(\.record)
        guard let first = records.first else { return back }
        let notice = SavedNotice(outcome: .batch(records.count, back: back), provider: "")
        return PageLink.adding(
            "saved", savedNotices.add(notice, about: first.event.key), to: PageLink.change(first.id))
    }

    private func respond(
        _ proposal: BatchProposal, _ previews: [ChangePreview], _ context: DashboardContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        return try respond(
            BatchPage(
                frame: frame(view), proposal: proposal.based(on: previews), previews: previews, view: view,
                isRefused: status != .ok), status: status)
    }
}

extension ChangeOutcome {
    /// The row of the history; `nil` where there was nothing to do.
    fileprivate var record: HistoryRecord? {
        if case .applied(let record) = self { record } else { nil }
    }
}
