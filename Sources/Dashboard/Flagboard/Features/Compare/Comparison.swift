import FeatureFlags
import FlagChanges

/// Two sides compared, flag by flag.
struct Comparison: Sendable {
    /// One flag on both sides.
    struct Item: Sendable {
        let entry: FlagEntry
        let left: FlagResolution.Answer
        let right: FlagResolution.Answer
        let difference: Difference
        /// Why the source of a side's value is broken, where that is a last good one.
        let staleness: (left: String?, right: String?)
        /// The directions in which it is not copied, since the app does not read it from the provider there.
        let barred: Set<CopyDirection>

        /// What is copied in a direction.
        func copied(_ direction: CopyDirection) -> FlagResolution.Answer { direction == .toRight ? left : right }

        /// Whether the flag can be copied in a direction: it is locked for both, and nothing is copied that is broken, or that
        /// the app would not read.
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
    /// Whether a flag that only the defaults hold differs from a provider, as a program may want it told.
    private let countsDefaults: Bool
    /// The flags that the search finds, whatever their difference.
    let found: [Item]
    /// Those of them to list.
    let listed: [Item]

    /// Compares.
    ///
    /// - Parameters:
    ///   - text: What to search for; empty for all flags.
    ///   - countsDefaults: Whether a flag that only the defaults hold differs from a provider.
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

    /// The flags that the search finds and an extent lists.
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

    /// The side that a copy goes to and the one that it comes from.
    func copying(_ direction: CopyDirection) -> (source: CompareSide, target: CompareSide) {
        switch direction {
        case .toRight: (left, right)
        case .toLeft: (right, left)
        }
    }

    /// The changes that copy flags across, each on the revision that the target has now.
    ///
    /// What the source does not hold is reset in the target.
    ///
    /// - Returns: The changes, and how many flags there is no copy of since the source holds no valid value of them.
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

/// Which way values are copied.
enum CopyDirection: String, CaseIterable, Hashable, Sendable {
    case toRight = "right"
    case toLeft = "left"
}

extension Difference: JSONWord {}
