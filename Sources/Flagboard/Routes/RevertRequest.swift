import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// What the form that reverts a change sends.
struct RevertRequest: Hashable, Sendable {
    /// Why, in the person's words; may be empty.
    let reason: String
    /// Whether all changes are meant that were applied together with it.
    let isOfBatch: Bool
    /// Whether it is to be done without a look at it first.
    let isConfirmed: Bool
    /// Whether a look at it is wanted in any case.
    let isPreview: Bool

    /// Reads the fields `reason`, `scope` (`change` or `batch`), and `confirm` (`yes` or `no`).
    init(_ fields: FormFields) {
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        isOfBatch = fields["scope"] == "batch"
        isConfirmed = fields["confirm"] == "yes"
        isPreview = fields["confirm"] == "no"
    }
}

/// What is to be done to revert a change, or a batch of them.
struct RevertPlan {
    let record: HistoryRecord
    let reversals: [Reversal]
    private let isOfBatch: Bool
    private let reason: String
    /// How many changes of the batch can't be reverted at all.
    private let omitted: Int

    /// Plans what to do.
    ///
    /// - Parameters:
    ///   - records: The changes to revert.
    ///   - record: The change that it was asked for.
    ///   - wish: What was asked for.
    ///   - reversals: Finds what puts back what was before some changes, for a reason.
    /// - Throws: ``RequestRefusal`` (409) where none of them can be reverted, whatever the flags are.
    init(
        _ records: [HistoryRecord], of record: HistoryRecord, _ wish: RevertRequest,
        _ reversals: ([HistoryRecord], String) throws -> [Reversal]
    ) throws {
        let what =
            wish.isOfBatch
            ? "Revert of the changes applied together with \(record.id)" : "Revert of change \(record.id)"
        reason = wish.reason.isEmpty ? what : "\(what): \(wish.reason)"
        self.record = record
        self.isOfBatch = wish.isOfBatch
        self.reversals = try reversals(records, reason)
        omitted = records.count - self.reversals.count
        guard self.reversals.isEmpty else { return }
        throw RequestRefusal(
            .conflict, title: "Not reverted",
            message: "Change \(record.id) (\(record.event.kind.label.lowercased())) can’t be reverted: "
                + Self.cause(record).asSentence,
            remedy: "Its page says what it did; change the flag itself, or its definition in the manifest.")
    }

    /// What to do, in order.
    var changes: [Change] { reversals.map(\.change) }

    /// The page that shows what would be done.
    ///
    /// - Parameter previews: What each change would do, in their order; those that were changed since are explained.
    /// - Returns: The proposal.
    func proposal(explaining previews: [ChangePreview]) -> BatchProposal {
        var notes: [String] = []
        var links: [TextLink] = []
        if omitted > 0 {
            notes.append(
                "\(omitted) of the changes that were applied together can’t be reverted here, because they changed no value "
                    + "and no lock.")
        }
        for (reversal, preview) in zip(reversals, previews) {
            guard case .conflict = preview.refusal?.reason else { continue }
            let key = ShownValue(.string(reversal.record.event.key.shownText)).inSentence
            guard let later = reversal.later.first else {
                notes.append(
                    "\(key) does not hold any more what change \(reversal.record.id) left, so it is not reverted.")
                continue
            }
            let more = reversal.later.count > 1 ? ", the newest of \(reversal.later.count) since" : ""
            notes.append(
                "\(key) was changed after change \(reversal.record.id), so it is not reverted: change \(later.id) by "
                    + "\(later.event.actor) at \(TimeText(later.event.at).text)\(more).")
            links.append(TextLink(label: "Look at change \(later.id)", href: PageLink.change(later.id)))
        }
        let title = isOfBatch ? "Revert \(reversals.count) changes" : "Revert change \(record.id)"
        return BatchProposal(
            title: title, changes: changes, origin: .revert, back: PageLink.change(record.id), notes: notes,
            links: links, reason: reason)
    }

    private static func cause(_ record: HistoryRecord) -> String {
        switch Reversal.hindrance(of: record) {
        case .isOfDefinition?: "it is about what the manifest says, not about a value or a lock"
        case .isOfHistory?: "it tells of the history itself, and of no flag"
        case .changedNothing?, nil: "it changed nothing"
        }
    }
}
