import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// A copy of values from one side of a comparison to the other.
struct ValueCopy: Sendable {
    let comparison: Comparison
    let direction: CopyDirection
    let items: [Comparison.Item]
    var lockedCount = 0
    /// The page to return to: a path within the dashboard.
    let back: String

    /// Returns the changes that copy.
    ///
    /// A chosen flag that is locked stays among them, so that the preview says why it can't change.
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

/// The copy form of a comparison.
struct CopyRequest: Sendable {
    let filter: CompareFilter
    private let keys: Set<FlagKeyPath>
    private let takesAll: Bool
    private let direction: CopyDirection?

    /// Reads the fields of the filter and `copy`: `chosen-left`, `chosen-right`, `all-left` or `all-right`.
    init(_ form: ChoiceForm, in view: CatalogueView) {
        filter = CompareFilter(query: form.fields.values, providers: view.catalogue.providers)
        keys = Set(form.keys)
        let words = (form.fields["copy"] ?? "").split(separator: "-").map(String.init)
        takesAll = words.first == "all"
        direction = words.count == 2 && ["all", "chosen"].contains(words[0]) ? CopyDirection(rawValue: words[1]) : nil
    }

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

struct CopyTarget: Hashable, PagePart {
    /// The direction's name in the form: `left` or `right`.
    let direction: String
    /// The number of flags on all pages that can be copied, in words; `nil` for none.
    let allText: String?
    let name: String
    let source: String
    let arrow: String

    /// Returns both directions, each with the reason when nothing can be copied.
    static func both(
        _ comparison: Comparison, in view: CatalogueView
    ) -> [(target: CopyTarget, refusal: String?)] {
        CopyDirection.allCases.map { direction in
            let (source, target) = comparison.copying(direction)
            let copy = CopyTarget(
                direction: direction.rawValue, allText: allText(comparison, direction), name: target.label,
                source: source.label,
                arrow: direction == .toRight ? "→" : "←")
            return (copy, view.refusal(ofChangesIn: target))
        }
    }

    private static func allText(_ comparison: Comparison, _ direction: CopyDirection) -> String? {
        let different = comparison.listed.count { $0.difference.isDifferent && !$0.entry.definition.metadata.isLocked }
        let count = comparison.listed.count { $0.canBeCopied(direction) }
        guard count > 0 else { return nil }
        let all = count == 1 ? "the 1 difference" : "all \(count) differences"
        return count < different ? "\(all) that can be copied" : all
    }
}

extension CatalogueView {
    /// Returns the reason why a side can't be changed, or `nil`.
    func refusal(ofChangesIn side: CompareSide) -> String? {
        if let general = refusalOfChanges { return general }
        guard case .provider(let name) = side else { return "\(side.label) is no provider, so it stores nothing." }
        guard let provider = catalogue.providers.first(where: { $0.name == name }), provider.isWritable else {
            return "\(name) is read-only."
        }
        if status.unreadable.contains(name) { return "\(name) can’t be read now." }
        return status.unwritable.contains(name) ? "The file of \(name) can’t be written now." : nil
    }

    /// The reason why the viewer can't change anything, or `nil`.
    var refusalOfChanges: String? {
        if let person = visitor?.person, person.role == .viewer {
            return "\(person.name) has the role viewer, which can read but not change flags."
        }
        return status.block
    }
}
