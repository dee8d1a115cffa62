import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

struct RevertRequest: Hashable, Sendable {
    enum Scope: String, CaseIterable {
        case change
        case batch
    }

    let reason: String
    let isOfBatch: Bool
    /// The request skips the preview.
    let isConfirmed: Bool
    /// The request demands a preview.
    let isPreview: Bool
    /// The request is called an undo, as by the button for one's own last change.
    var isUndo = false
    /// `nil` for the change's page.
    var back: String?

    var deed: BatchDeed { isUndo ? .undo : .revert }

    init(_ fields: FormFields, from page: String? = nil) {
        back = fields["back"].map(LocalPath.checked) ?? page

        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        isOfBatch = fields["scope"] == Scope.batch.rawValue
        isConfirmed = fields["confirm"] == "yes"
        isPreview = fields["confirm"] == "no"
        isUndo = fields["deed"] == "undo"
    }

    /// A program's request, which is never previewed.
    init(reason: String, scope: Scope) {
        (self.reason, isOfBatch, isConfirmed, isPreview) = (reason, scope == .batch, true, false)
    }
}

struct RevertPlan {
    let record: HistoryRecord
    private(set) var reversals: [Reversal]
    /// The number of values that are as before already.
    private var unchangedCount = 0
    private let asked: Int
    private let wish: RevertRequest
    private let reason: String
    private let omitted: Int

    /// Throws 409 if none can be reverted, whatever the flags are.
    init(_ records: [HistoryRecord], of record: HistoryRecord, _ wish: RevertRequest) throws(RequestError) {
        let what =
            "\(wish.isUndo ? "Undo" : "Revert") change \(record.id)" + (wish.isOfBatch ? " and its batch" : "")
        reason = wish.reason.isEmpty ? what : "\(what): \(wish.reason)"
        self.record = record
        self.wish = wish
        reversals = Reversal.reversals(of: records, reason: reason)
        (asked, omitted) = (reversals.count, records.count - reversals.count)
        guard reversals.isEmpty else { return }
        throw RequestError(
            .conflict, title: "Can’t be reverted",
            message: "Change \(record.id) (\(record.event.kind.label.lowercased())) can’t be reverted: "
                + Self.cause(record).asSentence,
            remedy: "Change the flag itself, or its definition in the manifest.")
    }

    var changes: [Change] { reversals.map(\.change) }

    /// Returns a plan for a preview, in which a value that is as before already isn't a conflict but no change.
    func withUnchanged(in catalogue: FlagCatalogue) -> RevertPlan {
        // The newest change of a value is reverted first, the oldest last.
        let values = Dictionary(grouping: reversals.filter { $0.record.event.provider != nil }) {
            BatchRow.place(of: $0.change)
        }
        let before = values.compactMapValues { reversals -> Reversal? in
            guard let newest = reversals.first?.record.event, let oldest = reversals.last,
                let provider = newest.provider
            else { return nil }
            let answer = catalogue[newest.key].map { $0.resolution[provider] } ?? .absent
            guard let answer, answer.stored == oldest.record.event.before, answer.stored != newest.after else {
                return nil
            }
            return oldest
        }
        var plan = self
        plan.unchangedCount = before.count
        plan.reversals = reversals.compactMap { reversal in
            guard reversal.record.event.provider != nil, let last = before[BatchRow.place(of: reversal.change)] else {
                return reversal
            }
            // A flag that is gone has no row.
            return reversal == last && catalogue[reversal.change.key] != nil ? reversal.unconditional : nil
        }
        return plan
    }

    private var unchangedNote: String? {
        guard unchangedCount > 0 else { return nil }
        guard reversals.count(where: { $0.change.revisions != nil || $0.change.provider == nil }) == 0 else {
            return unchangedCount == 1
                ? "1 value is already as before." : "\(unchangedCount) values are already as before."
        }
        let subject = unchangedCount == 1 ? "The value is" : "All \(unchangedCount) values are"
        return "\(subject) already as before. There is nothing to \(wish.deed.rawValue)."
    }

    /// `true` if a preview is needed even without a conflict.
    func needsPreview(_ catalogue: FlagCatalogue) -> Bool {
        reversals.count != 1
            || changes.contains { $0.provider == nil && $0.action != .lock && $0.action != .unlock }
            || changes.contains { $0.breaksFlag(in: catalogue) }
    }

    private static let mostNamed = 20

    /// Explains each conflict.
    ///
    /// `previews` are in the order of ``changes``. `later` returns later changes of the same value, oldest first.
    func proposal(
        explaining previews: [ChangePreview], later: (HistoryRecord) throws -> [HistoryRecord]
    ) throws -> BatchProposal {
        var notes: [String] = []
        var links: [TextLink] = []
        if omitted > 0 {
            notes.append(
                "\(omitted) \(omitted == 1 ? "change" : "changes") in the batch can’t be reverted: no flag was changed, or the "
                    + "earlier definition is no longer valid."
            )
        }
        notes += [unchangedNote].compactMap(\.self)
        let conflicts = zip(reversals, previews).filter {
            if case .conflict? = $0.1.refusal?.reason { true } else { false }
        }
        for (reversal, _) in conflicts.prefix(Self.mostNamed) {
            let key = ShownValue(.string(reversal.record.event.key.shownText)).inSentence
            let since = try later(reversal.record)
            guard let newest = since.last else {
                notes.append(
                    "\(key) was changed after change \(reversal.record.id), so it won’t be reverted.")
                continue
            }
            let more = since.count > 1 ? ", the latest of \(since.count)" : ""
            notes.append(
                "\(key) was changed after change \(reversal.record.id), so it won’t be reverted: change \(newest.id) by "
                    + "\(newest.event.actorName) at \(TimeText(newest.event.at).text)\(more).")
            links.append(TextLink(label: "View change \(newest.id)", href: PageLink.change(newest.id)))
        }
        let verb = wish.isUndo ? "Undo" : "Revert"
        let title = wish.isOfBatch ? "\(verb) \(asked) changes" : "\(verb) change \(record.id)"
        return BatchProposal(
            title: title, changes: changes, origin: .revert, back: wish.back ?? PageLink.change(record.id),
            notes: notes,
            links: links, reason: reason)
    }

    private static func cause(_ record: HistoryRecord) -> String {
        switch Reversal.problem(of: record) {
        case .isOfManifest?: "it changed a manifest entry that isn’t a flag"
        case .isOfHistory?: "it changed the history itself"
        case .changedNothing?: "it changed nothing"
        case .isAltered?: "it was altered after it was recorded, so the earlier value can’t be verified"
        case nil: "the earlier definition is no longer valid"
        }
    }
}
