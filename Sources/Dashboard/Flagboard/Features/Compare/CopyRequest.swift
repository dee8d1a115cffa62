import FeatureFlags
import FlagChanges
import HTTPTypes

/// What the form of a comparison sends: which flags to copy, and which way.
struct CopyRequest: Sendable {
    /// The comparison that the form stood on.
    let filter: CompareFilter
    private let keys: Set<FlagKeyPath>
    private let takesAll: Bool
    private let direction: CopyDirection?

    /// Reads the fields `left`, `right`, `show`, `q`, `page`, and `copy`, which is `chosen-left`, `chosen-right`, `all-left` or
    /// `all-right`.
    init(_ form: ChoiceForm, in view: CatalogueView) {
        filter = CompareFilter(query: form.fields.values, providers: view.catalogue.providers)
        keys = Set(form.keys)
        let words = (form.fields["copy"] ?? "").split(separator: "-").map(String.init)
        takesAll = words.first == "all"
        direction = words.count == 2 && ["all", "chosen"].contains(words[0]) ? CopyDirection(rawValue: words[1]) : nil
    }

    /// The changes that copy, to be looked at.
    func proposal(in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        guard let sides = filter.chosen, let direction else {
            return .failure(
                EmptyProposalError(
                    status: .unprocessableContent,
                    text: "Nothing was copied. Choose two sides, and use a button of the form."))
        }
        let comparison = Comparison(sides, text: filter.text, filter.extent, in: view, countsDefaults: false)
        let open = comparison.listed.filter { !$0.entry.definition.metadata.isLocked && !$0.barred.contains(direction) }
        let locked = comparison.listed.count { $0.difference.isDifferent && $0.entry.definition.metadata.isLocked }
        return ValueCopy(
            comparison: comparison, direction: direction,
            items: takesAll ? open : comparison.found.filter { keys.contains($0.entry.key) },
            lockedCount: takesAll ? locked : 0, back: filter.href
        ).proposal(in: view)
    }
}
