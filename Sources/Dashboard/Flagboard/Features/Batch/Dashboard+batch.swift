import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// In bytes.
    private static let largestForm = 16 * 1024 * 1024

    /// Applies the ticked changes if the request still yields exactly them; else shows the new preview.
    func makeBatch(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let body = try await FormFields.bytes(of: request, upTo: Self.largestForm)
        let (rows, fields) = try FormFields.separating("row", in: body, upTo: BatchProposal.largest)
        let form = try BatchRequest(fields, rows: rows, sentBy: try context.author(.form).name, proposalSeal)
        guard !form.ticked.isEmpty else { return try await refuse(form, .unprocessableContent, context) }
        var author = try context.author(form.proposal.origin, confirming: form.confirmation.environments)
        author.idempotencyKey = form.idempotencyKey
        do {
            let outcomes = try await service.apply(
                ChangeRequest(form.ticked, by: author, asOf: form.proposal.asOf)
            ) { try await page(form, context)?.agreement == form.agreement }
            guard let outcomes else { return try await refuse(form, .conflict, context) }
            return try await answer(toMade: context) {
                redirect(to: try await address(after: outcomes, form.proposal.deed, back: form.proposal.back))
            } orPlain: {
                redirect(to: form.proposal.back)
            }
        } catch let refusal as BatchError {
            guard !refusal.changes.isEmpty else { throw refusal.cause }
            let conflicts = refusal.changes.filter { $0.refusal?.isConflict == true }
            return try await refuse(
                form, refusal.cause.status, because: refusal.cause.reason, stale: Set(conflicts.map(\.change.key)),
                context)
        }
    }

    /// Returns the current preview; `nil` if the request isn't kept.
    private func page(_ form: BatchRequest, _ context: DashboardContext) async throws -> BatchPage? {
        guard let id = form.proposal.request, let asked = try keptRequest(id, context) else { return nil }
        let proposal = try await proposal(of: asked, keptAs: id, context)
        return try await page(proposal, try await previews(of: proposal, context), context)
    }

    /// Shows the current state, computed again if the request is kept.
    private func refuse(
        _ form: BatchRequest, _ status: HTTPResponse.Status, because refusal: ChangeError.Reason? = nil,
        stale: Set<FlagKeyPath> = [], _ context: DashboardContext
    ) async throws -> Response {
        var proposal = form.proposal
        let asked = try proposal.request.flatMap { try keptRequest($0, context) }
        if let id = proposal.request, let asked {
            proposal = try await self.proposal(of: asked, keptAs: id, context)
        } else {
            // These changes were confirmed as they are, without computing them again.
            (proposal.request, proposal.asOf) = (nil, nil)
        }
        let previews = try await previews(of: proposal, context)
        proposal.stale = stale
        if asked != nil {
            let agreed = proposal.agreed(to: previews)
            proposal.stale.formUnion(ProposedChanges.flags(differingIn: form.proposal.changes, agreed))
        }
        (proposal.reason, proposal.unticked) = (form.proposal.reason, form.proposal.unticked)
        (proposal.sent, proposal.refusal) = (form.confirmation, refusal)
        return try respond(try await page(proposal, previews, context, isRefused: true), status: status)
    }

    func address(after outcomes: [ChangeOutcome], _ deed: BatchDeed, back: String) async throws -> String {
        try await address(after: outcomes.compactMap(\.record), deed, back: back)
    }

    func address(after records: [HistoryRecord], _ deed: BatchDeed = .change, back: String) async throws -> String {
        let flags = try await service.shownFlags()
        // The changes may have made a flag internal.
        let shown = try records.filter { try service.history.record($0.id, hiddenKeys: flags.hiddenKeys) != nil }
        let isOfOneFlag = Set(shown.map(\.event.key)).count == 1
        let removal = isOfOneFlag && deed == .change ? shown.first { $0.event.kind == .remove } : nil
        let gone = records.map(\.event.key).filter { flags.catalogue[$0] == nil }
        let page = back.prefix { $0 != "?" && $0 != "#" }
        let isGone = gone.contains { [PageLink.flag($0), PageLink.definition($0)].contains { $0 == page } }
        let target = isGone ? PageLink.flags : back
        guard let first = removal ?? shown.first else { return target }
        let link = TextLink(of: removal.map { [$0] } ?? shown, shown: first)
        let key = first.event.key
        let isNamed = isOfOneFlag && removal == nil && PageLink.flag(key) != target.prefix { $0 != "?" && $0 != "#" }
        let name = flags.catalogue[key]?.definition.shownName ?? key.shownText
        let note = FlashNote(
            after: records, deed, shown: first, flag: isNamed ? name : nil,
            isUsual: first.event.provider == flags.catalogue.usualProvider(for: key)?.name, back: target, link: link)
        return notes.add(note, to: target)
    }
}

extension TextLink {
    /// Leads to the changes of a batch, or to the only one.
    init(of records: [HistoryRecord], shown: HistoryRecord) {
        if records.count > 1 {
            self.init(label: "View changes", href: PageLink.batch(shown.event.batch))
        } else {
            self.init(label: "View change", href: PageLink.change(shown.id))
        }
    }
}

extension FlashNote.Undo {
    /// `shown` is the change whose page reverts the batch; `nil` if one of the changes can't be reverted.
    init?(of records: [HistoryRecord], shown: HistoryRecord, back: String) {
        guard records.allSatisfy({ Reversal.problem(of: $0) == nil }) else { return nil }
        self.init(action: PageLink.revert(shown.id), back: back)
    }
}

extension FlashNote {
    /// `shown` is the change whose page reverts the batch.
    fileprivate init(
        after records: [HistoryRecord], _ deed: BatchDeed, shown: HistoryRecord, flag: String?, isUsual: Bool,
        back: String, link: TextLink
    ) {
        self.init(
            text: Self.text(records, deed, shown.event, isUsual: isUsual),
            flag: flag,
            undo: Undo(of: records, shown: shown, back: back),
            link: link,
            reasonForm: shown.event.reason.isEmpty && shown.event.kind.changesFlags
                ? ReasonForm(
                    for: shown.id, of: records.count { $0.event.kind.changesFlags }, isForBatch: true, back: back)
                : nil)
    }

    private static func text(
        _ records: [HistoryRecord], _ deed: BatchDeed, _ event: HistoryEvent, isUsual: Bool
    ) -> String {
        if deed == .change, event.kind == .remove { return "\(event.key.shownText) deleted." }
        guard records.count == 1, deed != .change else {
            return "\(records.count) \(records.count == 1 ? "change" : "changes") \(deed.past.lowercased())."
        }
        guard let provider = event.provider else { return "\(deed.past)." }
        guard let value = event.shownValues.after else { return "\(deed.past). No longer set in \(provider)." }
        let place = isUsual ? "" : " in \(provider)"
        return "\(deed.past). Back to \(ShownValue(value, limit: 60).inSentence)\(place)."
    }
}

extension ChangeError {
    fileprivate var isConflict: Bool {
        if case .conflict = reason { true } else { false }
    }
}

extension ChangeOutcome {
    var record: HistoryRecord? {
        if case .applied(let record) = self { record } else { nil }
    }
}
