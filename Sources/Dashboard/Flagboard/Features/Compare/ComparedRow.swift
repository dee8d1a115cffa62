import FeatureFlags
import FlagChanges

/// One flag on both sides of a comparison.
struct ComparedRow: Hashable, PagePart {
    let key: String
    let keyText: String
    let href: String
    let name: String
    let type: String
    /// The difference's name, for the style sheet and tests.
    let difference: String
    let differenceLabel: String
    let left: ComparedValue
    let right: ComparedValue
    /// The checkbox's ID; `nil` when the flag can't be copied.
    let choiceID: String?
    let isChosen: Bool
    let note: String?

    init(
        _ item: Comparison.Item, _ comparison: Comparison, number: Int, directions: [CopyDirection],
        isChosen: Bool = false
    ) {
        let definition = item.entry.definition
        key = item.entry.key.text
        keyText = item.entry.key.shownText
        href = PageLink.flag(item.entry.key)
        name = definition.shownName
        type = definition.type.rawValue
        difference = item.difference.rawValue
        differenceLabel = item.difference.label(comparison.left, comparison.right)
        (left, right) = ComparedValue.pair(
            item.left, item.right, labels: (comparison.left.label, comparison.right.label),
            absence: (comparison.left.absence, comparison.right.absence), staleness: item.staleness)
        let isChoosable = directions.contains(where: item.canBeCopied)
        choiceID = isChoosable ? "choice-\(number)" : nil
        self.isChosen = isChosen && isChoosable
        note = directions.isEmpty || !item.difference.isDifferent ? nil : Self.note(item, comparison, directions)
    }

    private static func note(
        _ item: Comparison.Item, _ comparison: Comparison, _ directions: [CopyDirection]
    ) -> String? {
        if item.entry.definition.metadata.isLocked { return "Locked: an admin must unlock it before it can be copied." }
        if let direction = directions.first(where: item.barred.contains) {
            return
                "It can’t be copied to \(comparison.copying(direction).target.label): the app does not read it there."
        }
        let sources = directions.filter { !item.canBeCopied($0) }.map { comparison.copying($0).source.label }
        return sources.isEmpty
            ? nil : "It can’t be copied from \(sources.joined(separator: " and ")): the value there is broken."
    }
}

extension CompareSide {
    var absence: String {
        switch self {
        case .provider, .effective: "no value"
        case .defaults: "no default"
        }
    }
}
