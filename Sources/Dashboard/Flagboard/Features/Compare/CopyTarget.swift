import FeatureFlags
import FlagChanges

/// One direction in which values can be copied.
struct CopyTarget: Hashable, PagePart {
    /// The direction, as the form names it: `left` or `right`.
    let direction: String
    /// How many of the flags that the list shows, on all its pages, can be copied so; `nil` where none can.
    let allText: String?
    /// The side that is copied to.
    let name: String
    /// The side that is copied from.
    let source: String
    /// The arrow that stands before the words.
    let arrow: String

    /// Both directions, each with why nothing can be copied there; `nil` where it can.
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
    /// Why a side can't be changed here; `nil` where it can be done.
    func refusal(ofChangesIn side: CompareSide) -> String? {
        if let general = refusalOfChanges { return general }
        guard case .provider(let name) = side else { return "\(side.label) is no provider, so it stores nothing." }
        guard let provider = catalogue.providers.first(where: { $0.name == name }), provider.isWritable else {
            return "\(name) is read-only."
        }
        if status.unreadable.contains(name) { return "\(name) can’t be read now." }
        return status.unwritable.contains(name) ? "The file of \(name) can’t be written now." : nil
    }

    /// Why the person who looks can't change anything at all; `nil` where something can.
    var refusalOfChanges: String? {
        if let person = visitor?.person, person.role == .viewer {
            return "\(person.name) has the role viewer, which can read but not change flags."
        }
        return status.block
    }
}
