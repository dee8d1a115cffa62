import FeatureFlags
import FlagChanges
import Foundation

extension FlagFilter {
    struct Misses: OptionSet, Hashable {
        let rawValue: Int

        static let text = Misses(rawValue: 1)

        /// Each mark is a criterion.
        static func mark(_ mark: Mark) -> Misses { Misses(marks: mark.bit) }

        /// `index` is one of ``FlagCriterion/all``.
        static func criterion(_ index: Int) -> Misses { Misses(rawValue: 2 << index) }

        init(rawValue: Int) { self.rawValue = rawValue }

        init(marks: UInt16) { self.init(rawValue: Int(marks) << (1 + FlagCriterion.all.count)) }
    }

    func entries(of view: CatalogueView) -> ListedFlags {
        let entries = view.catalogue.entries
        guard hasCriteria else { return ListedFlags(entries, at: Array(entries.indices)) }
        let matcher = FlagMatcher(self, in: view)
        return ListedFlags(entries, at: entries.indices.filter { matcher.misses($0).isEmpty })
    }
}

extension FlagFilter.State {
    /// The states that lists show, and ``byDefault`` for every flag whose default counts.
    func matches(_ entry: FlagEntry) -> Bool {
        switch self {
        case .on: entry.resolution.effectiveValue == .bool(true)
        case .off: entry.resolution.effectiveValue == .bool(false)
        case .overriddenOn: entry.state == .overriddenOn
        case .overriddenOff: entry.state == .overriddenOff
        case .overridden: entry.resolution.isOverridden
        case .byDefault:
            (entry.isDefined || entry.state == .byDefault) && !entry.resolution.isOverridden && entry.state != .computed
        case .noValue: entry.state == .noValue
        case .computed: entry.state == .computed
        }
    }
}

extension FlagFilter.Mark {
    func matches(_ entry: FlagEntry, in view: CatalogueView) -> Bool {
        switch self {
        case .broken: view.isBroken(entry)
        case .expired: view.isExpired(entry)
        case .expiring: view.isExpiring(entry)
        case .stale: view.isStale(entry)
        case .differsInApp: !view.appValues(of: entry).isEmpty
        case .locked, .restart, .retired, .undefined: isSet(on: entry)
        case .waiting, .edited, .favourite, .renamed: view.listed(self).contains(entry.key)
        }
    }

    /// The mark depends only on the flag, not on the time or the files.
    var followsFromFlag: Bool {
        switch self {
        case .locked, .restart, .retired, .undefined: true
        case .broken, .expired, .expiring, .stale, .differsInApp, .waiting, .edited, .favourite, .renamed: false
        }
    }

    /// The mark also depends on the time or on unreadable files.
    var isDoubtful: Bool { !followsFromFlag && !isListed && self != .differsInApp }

    /// The mark is kept as a list of flags (``CatalogueView/listed(_:)``).
    var isListed: Bool { [.waiting, .edited, .favourite, .renamed].contains(self) }

    /// `true` for a viewer's own marks, which programs don't have.
    var isOfViewer: Bool { [.edited, .favourite].contains(self) }

    /// `false` if the mark doesn't follow from the flag alone.
    func isSet(on entry: FlagEntry) -> Bool {
        switch self {
        case .locked: entry.definition.metadata.isLocked
        case .restart: entry.definition.metadata.requiresRestart
        case .retired: entry.definition.metadata.retired != nil
        case .undefined: !entry.isDefined
        case .broken, .expired, .expiring, .stale, .differsInApp, .waiting, .edited, .favourite, .renamed: false
        }
    }
}

extension FlagResolution.Source {
    var filterName: String? {
        switch self {
        case .provider(let name): name
        case .computed: "computed"
        case .defaultValue: FlagFilter.defaultSource
        case .none: nil
        }
    }

    var words: String {
        switch self {
        case .provider(let name): name
        case .computed: "computed"
        case .defaultValue: "default"
        case .none: "none"
        }
    }
}
