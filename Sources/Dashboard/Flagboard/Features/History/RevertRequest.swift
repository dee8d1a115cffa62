import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// The form that reverts a change.
struct RevertRequest: Hashable, Sendable {
    enum Scope: String, CaseIterable {
        case change
        /// The change with its whole batch.
        case batch
    }

    /// May be empty.
    let reason: String
    let isOfBatch: Bool
    /// The request skips the preview.
    let isConfirmed: Bool
    /// The request demands a preview.
    let isPreview: Bool

    init(_ fields: FormFields) {
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        isOfBatch = fields["scope"] == Scope.batch.rawValue
        isConfirmed = fields["confirm"] == "yes"
        isPreview = fields["confirm"] == "no"
    }

    /// A program's request is never previewed.
    init(reason: String, scope: Scope) {
        (self.reason, isOfBatch, isConfirmed, isPreview) = (reason, scope == .batch, true, false)
    }
}

struct RevertPlan {
    let record: HistoryRecord
    let reversals: [Reversal]
    private let isOfBatch: Bool
    private let reason: String
    /// The number of the batch's changes that can't be reverted.
    private let omitted: Int

    /// Throws a 409 if none can be reverted, whatever the flags are.
    init(_ records: [HistoryRecord], of record: HistoryRecord, _ wish: RevertRequest) throws(RequestError) {
        let what =
            wish.isOfBatch
            ? "Revert of the changes applied together with \(record.id)" : "Revert of change \(record.id)"
        reason = wish.reason.isEmpty ? what : "\(what): \(wish.reason)"
        self.record = record
        self.isOfBatch = wish.isOfBatch
        reversals = Reversal.reversals(of: records, reason: reason)
        omitted = records.count - reversals.count
        guard reversals.isEmpty else { return }
        throw RequestError(
            .conflict, title: "Not reverted",
            message: "Change \(record.id) (\(record.event.kind.label.lowercased())) can’t be reverted: "
                + Self.cause(record).asSentence,
            remedy: "Its page says what it did; change the flag itself, or its definition in the manifest.")
    }

    var changes: [Change] { reversals.map(\.change) }

    /// A preview is needed even without a conflict.
    func needsPreview(_ catalogue: FlagCatalogue) -> Bool {
        reversals.count != 1
            || changes.contains { $0.provider == nil && $0.action != .lock && $0.action != .unlock }
            || changes.contains { $0.breaksFlag(in: catalogue) }
    }

    private static let mostNamed = 20

    /// Returns the preview's content, with an explanation of each conflict.
    ///
    /// `previews` are in the order of ``changes``. `later` returns the changes of the same value after a change, oldest
    /// first.
    func proposal(
        explaining previews: [ChangePreview], later: (HistoryRecord) throws -> [HistoryRecord]
    ) throws -> BatchProposal {
        var notes: [String] = []
        var links: [TextLink] = []
        if omitted > 0 {
            notes.append(
                "\(omitted) of the changes that were applied together can’t be reverted here: they changed no flag, or "
                    + "what a flag’s definition said before is not valid any more."
            )
        }
        let conflicts = zip(reversals, previews).filter {
            if case .conflict? = $0.1.refusal?.reason { true } else { false }
        }
        for (reversal, _) in conflicts.prefix(Self.mostNamed) {
            let key = ShownValue(.string(reversal.record.event.key.shownText)).inSentence
            let since = try later(reversal.record)
            guard let newest = since.last else {
                notes.append(
                    "\(key) does not hold any more what change \(reversal.record.id) left, so it is not reverted.")
                continue
            }
            let more = since.count > 1 ? ", the newest of \(since.count) since" : ""
            notes.append(
                "\(key) was changed after change \(reversal.record.id), so it is not reverted: change \(newest.id) by "
                    + "\(newest.event.actor) at \(TimeText(newest.event.at).text)\(more).")
            links.append(TextLink(label: "Look at change \(newest.id)", href: PageLink.change(newest.id)))
        }
        let title = isOfBatch ? "Revert \(reversals.count) changes" : "Revert change \(record.id)"
        return BatchProposal(
            title: title, changes: changes, origin: .revert, back: PageLink.change(record.id), notes: notes,
            links: links, reason: reason)
    }

    private static func cause(_ record: HistoryRecord) -> String {
        switch Reversal.problem(of: record) {
        case .isOfManifest?: "it is about an entry of the manifest that is no flag’s"
        case .isOfHistory?: "it tells of the history itself, and of no flag"
        case .changedNothing?: "it changed nothing"
        case .isAltered?: "it was altered after it was recorded, so what was before it is not proven"
        case nil: "what the manifest said before is no valid definition any more"
        }
    }
}
