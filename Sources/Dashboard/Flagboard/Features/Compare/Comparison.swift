import FeatureFlags
import FlagChanges

struct Comparison: Sendable {
    struct Item: Sendable {
        let entry: FlagEntry
        let left: FlagResolution.Answer
        let right: FlagResolution.Answer
        let difference: Difference
        /// The problems of broken sources whose last good values are shown.
        let staleness: (left: String?, right: String?)
        /// The directions whose target the app doesn't read for this flag.
        let barred: Set<CopyDirection>

        func copied(_ direction: CopyDirection) -> FlagResolution.Answer { direction == .toRight ? left : right }

        /// Returns whether the flag differs, isn't locked or broken, and is read from the target by the app.
        func canBeCopied(_ direction: CopyDirection) -> Bool {
            guard difference.isDifferent, !entry.definition.metadata.isLocked, !barred.contains(direction) else {
                return false
            }
            if case .broken = copied(direction) { return false }
            return true
        }
    }

    let left: CompareSide
    let right: CompareSide
    /// Counts a flag held only by the defaults as different, as API clients want.
    private let countsDefaults: Bool
    /// The flags that the search finds, with any difference.
    let found: [Item]
    /// The found flags within the extent.
    let listed: [Item]

    /// Compares all flags that match a text; an empty text matches all.
    init(
        _ sides: (left: CompareSide, right: CompareSide), text: String, _ extent: CompareFilter.Extent,
        in view: CatalogueView, countsDefaults: Bool
    ) {
        left = sides.left
        right = sides.right
        self.countsDefaults = countsDefaults
        let targets = CopyDirection.allCases.map { direction in
            let target = direction == .toRight ? sides.right : sides.left
            return (direction, view.catalogue.providers.first { target == .provider($0.name) })
        }
        let found = FlagFilter(text: text).entries(of: view).map { entry in
            let (left, right) = (sides.left.answer(entry), sides.right.answer(entry))
            return Item(
                entry: entry, left: left, right: right, difference: Difference(left, right, of: entry.definition),
                staleness: (sides.left.staleness(entry), sides.right.staleness(entry)),
                barred: Set(targets.filter { $0.1?.isRead(for: entry.key) == false }.map(\.0)))
        }
        self.found = found
        listed = Self.items(of: found, in: extent, sides, countsDefaults)
    }

    func items(in extent: CompareFilter.Extent) -> [Item] {
        Self.items(of: found, in: extent, (left, right), countsDefaults)
    }

    private static func items(
        of found: [Item], in extent: CompareFilter.Extent, _ sides: (left: CompareSide, right: CompareSide),
        _ countsDefaults: Bool
    ) -> [Item] {
        found.filter { item in
            let isOfDefaults =
                sides.left == .defaults && item.difference == .onlyLeft
                || sides.right == .defaults && item.difference == .onlyRight
            return extent.contains(item.difference) && (countsDefaults || extent != .different || !isOfDefaults)
        }
    }

    func copying(_ direction: CopyDirection) -> (source: CompareSide, target: CompareSide) {
        switch direction {
        case .toRight: (left, right)
        case .toLeft: (right, left)
        }
    }

    /// Returns the changes that copy flags, each bound to the target's current revision.
    ///
    /// A flag without a value in the source is reset in the target. Flags that are broken in the source are only
    /// counted.
    func changes(_ items: [Item], _ direction: CopyDirection) -> (changes: [Change], broken: Int) {
        guard case .provider(let target) = copying(direction).target else { return ([], 0) }
        var changes: [Change] = []
        var broken = 0
        for item in items where item.difference.isDifferent {
            let action: Change.Action
            switch item.copied(direction) {
            case .absent: action = .reset
            case .value(_, let stored): action = .setValue(stored)
            case .broken:
                broken += 1
                continue
            }
            changes.append(
                Change(key: item.entry.key, action: action, provider: target, revision: item.entry.revisions[target]))
        }
        return (changes, broken)
    }
}

enum CopyDirection: String, CaseIterable, Hashable, Sendable {
    case toRight = "right"
    case toLeft = "left"
}

extension Difference: JSONWord {}
