import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// Values of flags, copied from one side of a comparison to the other.
struct ValueCopy: Sendable {
    let comparison: Comparison
    let direction: CopyDirection
    /// The flags to copy.
    let items: [Comparison.Item]
    /// How many flags are left out since they are locked.
    var lockedCount = 0
    /// Where the person goes who does not want the changes: an address within the dashboard.
    let back: String

    /// The changes that copy, to be looked at.
    ///
    /// A flag that was chosen and is locked is among them, so that the preview says why it stays.
    func proposal(in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        let (source, target) = comparison.copying(direction)
        if let refusal = view.refusal(ofChangesIn: target) {
            return refused(.forbidden, "Nothing can be copied to \(target.label): \(refusal)")
        }
        if items.isEmpty {
            return refused(
                .unprocessableContent, "No flag was chosen. Tick the flags to copy, then press the button again.")
        }
        let (changes, broken) = comparison.changes(items, direction)
        if changes.isEmpty {
            let cause = Self.brokenText(broken, source) ?? "both sides hold the same."
            return refused(.unprocessableContent, "There is nothing to copy: \(cause)")
        }
        guard changes.count <= BatchProposal.largest else {
            return refused(
                .unprocessableContent,
                "At most \(BatchProposal.largest) flags can be copied at once, and these are \(changes.count). Search for "
                    + "fewer.")
        }
        return .success(
            BatchProposal(
                title: "Copy from \(source.label) to \(target.label)", changes: changes, origin: .form,
                back: back, notes: notes(broken, source), reason: "Copied from \(source.label)"))
    }

    private func notes(_ broken: Int, _ source: CompareSide) -> [String] {
        var notes = [Self.brokenText(broken, source)?.asSentence].compactMap(\.self)
        if lockedCount > 0 {
            notes.append(
                lockedCount == 1 ? "1 flag is locked and left out." : "\(lockedCount) flags are locked and left out.")
        }
        return notes
    }

    private static func brokenText(_ count: Int, _ source: CompareSide) -> String? {
        guard count > 0 else { return nil }
        let flags =
            count == 1 ? "1 flag is left out, since its value" : "\(count) flags are left out, since their values"
        return "\(flags) in \(source.label) \(count == 1 ? "is" : "are") broken."
    }

    private func refused(_ status: HTTPResponse.Status, _ text: String) -> Result<BatchProposal, EmptyProposalError> {
        .failure(EmptyProposalError(status: status, text: text))
    }
}
