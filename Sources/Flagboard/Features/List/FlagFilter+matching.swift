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

        /// That of one mark, since each is a criterion of its own.
        static func mark(_ mark: Mark) -> Misses {
            Misses(rawValue: 64 << (Mark.allCases.firstIndex(of: mark) ?? 0))
        }
    }

    /// The flags of a catalogue that are to be listed, in its order.
    func entries(of view: CatalogueView) -> [FlagEntry] {
        guard hasCriteria else { return Array(view.catalogue.entries) }
        let words = FlagSearchIndex.Words(text)
        return view.catalogue.entries.enumerated().filter { misses($1, at: $0, words, in: view).isEmpty }.map(\.element)
    }

    /// Which criteria a flag does not meet.
    ///
    /// - Parameters:
    ///   - entry: The flag.
    ///   - place: Its place in the catalogue.
    ///   - words: The words of ``text``.
    ///   - view: What it is one of.
    /// - Returns: None where the flag is to be listed.
    func misses(_ entry: FlagEntry, at place: Int, _ words: FlagSearchIndex.Words, in view: CatalogueView) -> Misses {
        var misses: Misses = []
        if !words.isEmpty,
            !view.catalogue.searchIndex.matches(place, words, value: entry.resolution.effectiveValue)
        {
            misses.insert(.text)
        }
        if let state, !state.matches(entry) { misses.insert(.state) }
        for mark in marks where !mark.matches(entry, in: view) { misses.insert(.mark(mark)) }
        if let type, type != entry.definition.type { misses.insert(.type) }
        if let tag, !entry.definition.metadata.tags.contains(tag) { misses.insert(.tag) }
        if let group, !entry.key.isInside(group) { misses.insert(.group) }
        if let provider, provider != entry.resolution.source.filterName { misses.insert(.provider) }
        return misses
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
        case .stale: view.isStale(entry)
        case .locked, .restart, .retired, .undefined: isSet(on: entry)
        }
    }

    /// Whether the flag alone tells whether it has this mark, whatever the time and the state of the files.
    var followsFromFlag: Bool {
        switch self {
        case .locked, .restart, .retired, .undefined: true
        case .broken, .expired, .stale: false
        }
    }

    /// Whether a flag has this mark, where it alone tells so.
    func isSet(on entry: FlagEntry) -> Bool {
        switch self {
        case .locked: entry.definition.metadata.isLocked
        case .restart: entry.definition.metadata.requiresRestart
        case .retired: entry.definition.metadata.retired != nil
        case .undefined: !entry.isDefined
        case .broken, .expired, .stale: false
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
        case .none: "nowhere"
        }
    }
}
