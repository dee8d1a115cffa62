import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// Several changes at once, which the form of a preview makes.
extension Dashboard {
    /// How large the form of a batch may be, in bytes.
    private static let largestForm = 16 * 1024 * 1024

    func addBatchPageRoute(to router: Router<DashboardContext>) {
        router.post(Routes.batch) { request, context in try await makeBatch(request, context) }
    }

    private func makeBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try BatchForm(try await FormFields(request, upTo: Self.largestForm))
        var author = try context.author(form.proposal.origin)
        author.idempotencyKey = form.idempotencyKey
        let proposal = form.proposal
        let added = try await flagsAdded(since: form, author, context)
        guard added.isEmpty else { return try await refuse(form, stale: added, .conflict, context) }
        let outcomes: [ChangeOutcome]
        do {
            outcomes = try await service.apply(
                batch: proposal.changes, expecting: proposal.expectations, by: author)
        } catch  where error.changes.isEmpty && error.overlooked.isEmpty {
            throw error.cause
        } catch {
            let conflicts = error.changes.filter { $0.refusal?.isConflict == true }
            let proposal = form.proposal.leaving(error.overlooked)
            let stale = Set(conflicts.map(\.change.key) + error.overlooked)
            return try await refuse(form, stale: stale, error.cause.status, context, otherwise: proposal)
        }
        let address = try await address(after: outcomes, back: proposal.back)
        return Response(status: .seeOther, headers: [.location: address])
    }

    /// The flags that what was asked for changes by now, and that were not among the changes when the person looked: flags that
    /// came since, or were as they were to be, or could not be changed.
    ///
    /// What they held then the service looks at once more when it makes the changes.
    ///
    /// A form that is sent once more is not looked at: the service gives it its first answer.
    private func flagsAdded(
        since form: BatchForm, _ author: ChangeAuthor, _ context: DashboardContext
    ) async throws -> Set<FlagKeyPath> {
        guard try service.history.answer(to: author.name, idempotencyKey: form.idempotencyKey) == nil else { return [] }
        guard let id = form.request, let asked = try keptRequest(id, context) else { return [] }
        let proposal = try await proposal(of: asked, keptAs: id, context)
        let agreed = proposal.agreed(to: try await service.preview(proposal.changes, by: author))
        return Set(agreed.changes.map(\.key)).subtracting(form.proposal.changes.map(\.key))
    }

    /// Shows what the changes of a form would do now; worked out anew where it is kept what was asked for.
    private func refuse(
        _ form: BatchForm, stale: Set<FlagKeyPath>, _ status: HTTPResponse.Status, _ context: DashboardContext,
        otherwise known: BatchProposal? = nil
    ) async throws -> Response {
        var proposal = known ?? form.proposal
        if let id = form.request, let asked = try keptRequest(id, context) {
            proposal = try await self.proposal(of: asked, keptAs: id, context)
        }
        proposal.stale = stale
        proposal.reason = form.proposal.reason
        return try await respond(proposal, status, context)
    }

    /// The first of the changes that were made and may be seen, with a notice that leads back; where there is none, back.
    func address(after outcomes: [ChangeOutcome], back: String) async throws -> String {
        try await address(after: outcomes.compactMap(\.record), back: back)
    }

    /// The first of rows that may be seen, or what deleted the flag among them, with a notice of all of them that leads back;
    /// where there is none, back.
    func address(after records: [HistoryRecord], back: String) async throws -> String {
        // A flag may have become internal by them.
        let hiddenKeys = try await service.overview().hiddenKeys
        let shown = try records.filter { try service.history.record($0.id, hiddenKeys: hiddenKeys) != nil }
        let isOfOneFlag = Set(shown.map(\.event.key)).count == 1
        guard let first = shown.first(where: { isOfOneFlag && $0.event.kind == .remove }) ?? shown.first else {
            return back
        }
        let notice = SavedNotice(outcome: .batch(records.count, back: back), provider: "")
        return PageLink.adding(
            "saved", savedNotices.add(notice, about: first.event.key), to: PageLink.change(first.id))
    }
}

extension ChangeRefusal {
    /// Whether somebody was quicker.
    fileprivate var isConflict: Bool {
        if case .conflict = reason { true } else { false }
    }
}

extension ChangeOutcome {
    /// The row of the history; `nil` where there was nothing to do.
    var record: HistoryRecord? {
        if case .applied(let record) = self { record } else { nil }
    }
}
