import FeatureFlags
import FlagChanges
import Foundation

extension FlagFilter {
    /// The criteria that a flag does not meet.
    struct Misses: OptionSet, Hashable {
        let rawValue: Int

        static let text = Misses(rawValue: 1)
        static let state = Misses(rawValue: 2)
        static let type = Misses(rawValue: 4)
        static let tag = Misses(rawValue: 8)
        static let group = Misses(rawValue: 16)
        static let provider = Misses(rawValue: 32)
        static let owner = Misses(rawValue: 64)

        /// That of one mark, since each is a criterion of its own.
        static func mark(_ mark: Mark) -> Misses { Misses(marks: mark.bit) }

        init(rawValue: Int) { self.rawValue = rawValue }

        /// Those of marks, by their bits.
        init(marks: UInt16) { self.init(rawValue: Int(marks) << 7) }
    }

    /// The flags of a catalogue that are to be listed, in its order.
    func entries(of view: CatalogueView) -> ListedFlags {
        let entries = view.catalogue.entries
        guard hasCriteria else { return ListedFlags(entries, at: Array(entries.indices)) }
        let matcher = FlagMatcher(self, in: view)
        return ListedFlags(entries, at: entries.indices.filter { matcher.misses($0).isEmpty })
    }
}

extension FlagFilter.State {
    /// Whether a flag is in this state.
    ///
    /// One without a definition has no default that it could be at, or that a value could override.
    func matches(_ entry: FlagEntry) -> Bool {
        switch self {
        case .on: entry.resolution.effectiveValue == .bool(true)
        case .off: entry.resolution.effectiveValue == .bool(false)
        case .overriddenOn: entry.isDefined && entry.state == .overriddenOn
        case .overriddenOff: entry.isDefined && entry.state == .overriddenOff
        case .overridden: entry.isDefined && entry.resolution.isOverridden
        case .byDefault: entry.isDefined && !entry.resolution.isOverridden
        case .noValue: entry.state == .noValue
        }
    }
}

extension FlagFilter.Mark {
    /// Whether a flag has this mark.
    func matches(_ entry: FlagEntry, in view: CatalogueView) -> Bool {
        switch self {
        case .broken: view.isBroken(entry)
        case .expired: view.isExpired(entry)
        case .expiring: view.isExpiring(entry)
        case .stale: view.isStale(entry)
        case .locked, .restart, .retired, .undefined: isSet(on: entry)
        case .waiting, .edited, .favourite, .renamed: view.listed(self).contains(entry.key)
        }
    }

    /// Whether the flag alone tells whether it has this mark, whatever the time and the state of the files.
    var followsFromFlag: Bool {
        switch self {
        case .locked, .restart, .retired, .undefined: true
        case .broken, .expired, .expiring, .stale, .waiting, .edited, .favourite, .renamed: false
        }
    }

    /// Whether a list of flags tells which have this mark (``CatalogueView/listed(_:)``).
    var isListed: Bool { [.waiting, .edited, .favourite, .renamed].contains(self) }

    /// Whether it depends on who looks: programs have no such marks.
    var isOfViewer: Bool { [.edited, .favourite].contains(self) }

    /// Whether a flag has this mark, where it alone tells so.
    func isSet(on entry: FlagEntry) -> Bool {
        switch self {
        case .locked: entry.definition.metadata.isLocked
        case .restart: entry.definition.metadata.requiresRestart
        case .retired: entry.definition.metadata.retired != nil
        case .undefined: !entry.isDefined
        case .broken, .expired, .expiring, .stale, .waiting, .edited, .favourite, .renamed: false
        }
    }
}

extension FlagResolution.Source {
    /// The source as the filter names it.
    var filterName: String? {
        switch self {
        case .provider(let name): name
        case .computed: "computed"
        case .defaultValue: FlagFilter.defaultSource
        case .none: nil
        }
    }

    /// The source in words.
    var words: String {
        switch self {
        case .provider(let name): name
        case .computed: "computed"
        case .defaultValue: "default"
        case .none: "none"
        }
    }
}
