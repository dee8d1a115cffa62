import FeatureFlags
import FlagChanges
import HTTPTypes

/// What the form of the environments sends: which flags to copy, from which one, and to which one.
struct EnvironmentCopy: Sendable {
    /// The page that the form stood on.
    let filter: EnvironmentFilter
    private let source: String
    private let target: String
    /// The flags; `nil` for all that differ.
    private let keys: Set<FlagKeyPath>?

    /// Reads the fields `base`, `show`, `q`, `page`, and `copy`, which is `chosen` or `all`, with `from` and `to` beside it; or is a query
    /// of `from` and `key`, of one flag that goes to the base.
    init(_ form: ChoiceForm, in view: CatalogueView) throws(FormFieldsError) {
        let fields = form.fields
        filter = EnvironmentFilter(
            query: fields.values, environments: EnvironmentMatrix.environments(view.catalogue))
        switch fields["copy"] ?? "" {
        case "all": (source, target, keys) = (fields["from"] ?? "", fields["to"] ?? "", nil)
        case "chosen", "": (source, target, keys) = (fields["from"] ?? "", fields["to"] ?? "", Set(form.keys))
        case let one:
            let named = try FormFields(one)
            guard let key = named["key"].flatMap({ FlagKeyPath(text: $0) }) else { throw .malformed }
            // One that is no longer there is not taken for another one.
            (source, target, keys) = (named["from"] ?? "", fields["base"] ?? "", [key])
        }
    }

    /// The environments that the form named, for it to be shown again.
    var chosen: (source: String, target: String) { (source, target) }

    /// The changes that copy, to be looked at.
    func proposal(in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        guard let sides = Self.sides(source, target, in: view) else {
            return .failure(
                EmptyProposalError(
                    status: .unprocessableContent,
                    text: "Nothing was copied. Choose two environments of the list, and use a button of the form."))
        }
        let comparison = Comparison(sides, text: filter.text, .all, in: view, countsDefaults: false)
        let wanted = keys ?? Set(EnvironmentMatrix(view, filter).differing(source, target).map(\.entry.key))
        let items = comparison.found.filter { wanted.contains($0.entry.key) }
        let open = items.filter { !$0.entry.definition.metadata.isLocked && !$0.barred.contains(.toRight) }
        return ValueCopy(
            comparison: comparison, direction: .toRight, items: keys == nil ? open : items,
            lockedCount: keys == nil ? items.count(where: \.entry.definition.metadata.isLocked) : 0, back: filter.href
        ).proposal(in: view)
    }

    private static func sides(
        _ source: String, _ target: String, in view: CatalogueView
    ) -> (left: CompareSide, right: CompareSide)? {
        let names = EnvironmentMatrix.environments(view.catalogue).map(\.name)
        guard source != target, names.contains(source), names.contains(target) else { return nil }
        return (.provider(source), .provider(target))
    }
}
