import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// What the form of a comparison sends: which flags to copy, and which way.
struct CopyRequest: Sendable {
    /// The comparison that the form stood on.
    let filter: CompareFilter
    private let keys: Set<FlagKeyPath>
    private let takesAll: Bool
    private let direction: CopyDirection?

    /// Reads the fields `left`, `right`, `show`, `q`, and `copy`, which is `chosen-left`, `chosen-right`, `all-left` or
    /// `all-right`.
    init(_ form: ChoiceForm, in view: CatalogueView) {
        filter = CompareFilter(query: form.fields.values, providers: view.catalogue.providers)
        keys = Set(form.keys)
        let words = (form.fields["copy"] ?? "").split(separator: "-").map(String.init)
        takesAll = words.first == "all"
        direction = words.count == 2 && ["all", "chosen"].contains(words[0]) ? CopyDirection(rawValue: words[1]) : nil
    }

    /// The changes that copy, to be looked at.
    ///
    /// A flag that was chosen and is locked is among them, so that the preview says why it stays.
    ///
    /// - Parameter view: All flags.
    /// - Returns: The changes, or why there are none.
    func proposal(in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        guard let sides = filter.chosen, let direction else {
            return refused(.unprocessableContent, "Nothing was copied. Choose two sides, and use a button of the form.")
        }
        let comparison = Comparison(sides, filter, in: view, countsDefaults: false)
        let (source, target) = comparison.copying(direction)
        if let refusal = view.refusal(ofChangesIn: target) {
            return refused(.forbidden, "Nothing can be copied to \(target.label): \(refusal)")
        }
        let items =
            takesAll
            ? comparison.listed.filter { !$0.entry.definition.metadata.isLocked && !$0.barred.contains(direction) }
            : comparison.found.filter { keys.contains($0.entry.key) }
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
                back: filter.href, notes: notes(comparison, items, broken, source),
                reason: "Copied from \(source.label)"))
    }

    private func notes(
        _ comparison: Comparison, _ items: [Comparison.Item], _ broken: Int, _ source: CompareSide
    ) -> [String] {
        var notes = [Self.brokenText(broken, source)?.asSentence].compactMap(\.self)
        let locked = comparison.listed.count { $0.difference.isDifferent && $0.entry.definition.metadata.isLocked }
        if takesAll, locked > 0 {
            notes.append(
                locked == 1 ? "1 flag is locked and left out." : "\(locked) flags are locked and left out.")
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
