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
    /// How often changes are worked out anew while something else is changed at the same moment.
    private static let maximumTries = 5

    func addBatchPageRoute(to router: Router<DashboardContext>) {
        router.post(Routes.batch) { request, context in try await makeBatch(request, context) }
    }

    /// Makes the changes of a form where they are still all that there is to change by what was asked for; else shows them
    /// anew.
    private func makeBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try BatchForm(try await FormFields(request, upTo: Self.largestForm))
        var author = try context.author(form.proposal.origin)
        author.idempotencyKey = form.idempotencyKey
        var asOf = form.proposal.asOf
        var tries = 0
        while true {
            tries += 1
            let outcomes: [ChangeOutcome]
            do {
                outcomes = try await service.apply(batch: form.proposal.changes, asOf: asOf, by: author)
            } catch  where error.isOutdated && tries < Self.maximumTries {
                // Something came since; that may have nothing to do with these changes.
                asOf = try await service.overview().lastRow
                let altered = try await flagsAltered(since: form, author, context)
                if let altered, altered.isEmpty { continue }
                return try await refuse(form, stale: altered ?? [], .conflict, context)
            } catch  where error.changes.isEmpty {
                throw error.cause
            } catch {
                let conflicts = error.changes.filter { $0.refusal?.isConflict == true }
                return try await refuse(form, stale: Set(conflicts.map(\.change.key)), error.cause.status, context)
            }
            let address = try await address(after: outcomes, back: form.proposal.back)
            return Response(status: .seeOther, headers: [.location: address])
        }
    }

    /// The flags of which what was asked for comes to other changes by now than those of the form: `nil` where nobody knows
    /// any more what that was.
    ///
    /// None where the service has a refusal of its own for a change of the form, which says more.
    private func flagsAltered(
        since form: BatchForm, _ author: ChangeAuthor, _ context: DashboardContext
    ) async throws -> Set<FlagKeyPath>? {
        guard let id = form.proposal.request, let asked = try keptRequest(id, context) else { return nil }
        guard try await service.preview(form.proposal.changes, by: author).allSatisfy({ $0.refusal == nil }) else {
            return []
        }
        let proposal = try await proposal(of: asked, keptAs: id, context)
        let agreed = proposal.agreed(to: try await service.preview(proposal.changes, by: author))
        return ProposedChanges.flags(differingIn: form.proposal.changes, agreed)
    }

    /// Shows what the changes of a form would do now; worked out anew where it is kept what was asked for.
    private func refuse(
        _ form: BatchForm, stale: Set<FlagKeyPath>, _ status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        var proposal = form.proposal
        if let id = proposal.request, let asked = try keptRequest(id, context) {
            proposal = try await self.proposal(of: asked, keptAs: id, context)
        } else {
            // Whoever sees that these are not worked out anew, and makes them, wants just these.
            (proposal.request, proposal.asOf) = (nil, nil)
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
