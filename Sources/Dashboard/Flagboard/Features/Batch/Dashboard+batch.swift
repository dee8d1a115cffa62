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

    /// Makes the changes of a form where what was asked for still comes to just them; else shows them anew.
    func makeBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try BatchRequest(
            try await FormFields(request, upTo: Self.largestForm), sentBy: try context.author(.form).name, proposalSeal)
        var author = try context.author(form.proposal.origin)
        author.idempotencyKey = form.idempotencyKey
        do {
            let outcomes = try await service.apply(
                ChangeRequest(form.proposal.changes, by: author, asOf: form.proposal.asOf)
            ) { try await page(form, context)?.agreement == form.agreement }
            guard let outcomes else { return try await refuse(form, .conflict, context) }
            return try await answer(toMade: context) {
                redirect(to: try await address(after: outcomes, back: form.proposal.back))
            } orPlain: {
                redirect(to: form.proposal.back)
            }
        } catch let refusal as BatchError {
            guard !refusal.changes.isEmpty else { throw refusal.cause }
            let conflicts = refusal.changes.filter { $0.refusal?.isConflict == true }
            return try await refuse(form, refusal.cause.status, stale: Set(conflicts.map(\.change.key)), context)
        }
    }

    /// The page that what was asked for comes to now; `nil` where it isn't kept what that was.
    private func page(_ form: BatchRequest, _ context: DashboardContext) async throws -> BatchPage? {
        guard let id = form.proposal.request, let asked = try keptRequest(id, context) else { return nil }
        let proposal = try await proposal(of: asked, keptAs: id, context)
        return try await page(proposal, try await previews(of: proposal, context), context)
    }

    /// Shows what the changes of a form would do now; worked out anew where it is kept what was asked for.
    private func refuse(
        _ form: BatchRequest, _ status: HTTPResponse.Status, stale: Set<FlagKeyPath> = [], _ context: DashboardContext
    ) async throws -> Response {
        var proposal = form.proposal
        let asked = try proposal.request.flatMap { try keptRequest($0, context) }
        if let id = proposal.request, let asked {
            proposal = try await self.proposal(of: asked, keptAs: id, context)
        } else {
            // A person who sees that these are not worked out anew, and makes them, wants just these.
            (proposal.request, proposal.asOf) = (nil, nil)
        }
        let previews = try await previews(of: proposal, context)
        proposal.stale = stale
        if asked != nil {
            let agreed = proposal.agreed(to: previews)
            proposal.stale.formUnion(ProposedChanges.flags(differingIn: form.proposal.changes, agreed))
        }
        proposal.reason = form.proposal.reason
        return try respond(try await page(proposal, previews, context, isRefused: true), status: status)
    }

    /// The first of the changes that were made and may be seen, with a notice that leads back; where there is none, back.
    func address(after outcomes: [ChangeOutcome], back: String) async throws -> String {
        try await address(after: outcomes.compactMap(\.record), back: back)
    }

    /// The first of rows that may be seen, or what deleted the flag among them, with a notice of all of them that leads back;
    /// where there is none, back.
    func address(after records: [HistoryRecord], back: String) async throws -> String {
        // A flag may have become internal by them.
        let hiddenKeys = try await service.shownFlags().hiddenKeys
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

extension ChangeError {
    /// Whether another change was quicker.
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
