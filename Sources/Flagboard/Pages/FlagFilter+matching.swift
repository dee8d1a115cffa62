import FeatureFlags
import FlagChanges
import Foundation

extension FlagFilter {
    /// Whether a flag is to be listed.
    ///
    /// - Parameters:
    ///   - entry: The flag.
    ///   - view: What it is one of; the names of its groups are searched too.
    /// - Returns: Whether every criterion holds.
    func matches(_ entry: FlagEntry, in view: CatalogueView) -> Bool {
        matchesText(entry, view.catalogue.collections)
            && state.map { $0.matches(entry, in: view) } ?? true
            && tag.map { entry.definition.metadata.tags.contains($0) } ?? true
            && group.map { entry.key.isInside($0) } ?? true
            && provider.map { entry.resolution.source.filterName == $0 } ?? true
    }

    private func matchesText(
        _ entry: FlagEntry, _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> Bool {
        let words = Self.folded(text).split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return true }
        let definition = entry.definition
        let groups = entry.key.ancestors.compactMap { collections[$0]?.name }
        let fields = [entry.key.text, definition.displayName, definition.metadata.description]
        let haystack = Self.folded((fields + definition.metadata.tags + groups).joined(separator: "\n"))
        return words.allSatisfy { haystack.contains($0) }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}

extension FlagFilter.State {
    /// Whether a flag is in this state.
    ///
    /// One that nobody defined has no default that it could be at, or that a value could override.
    func matches(_ entry: FlagEntry, in view: CatalogueView) -> Bool {
        switch self {
        case .on: entry.resolution.effectiveValue == .bool(true)
        case .off: entry.resolution.effectiveValue == .bool(false)
        case .overriddenOn: entry.isDefined && entry.state == .overriddenOn
        case .overriddenOff: entry.isDefined && entry.state == .overriddenOff
        case .overridden: entry.isDefined && entry.resolution.isOverridden
        case .byDefault: entry.isDefined && !entry.resolution.isOverridden
        case .noValue: entry.state == .noValue
        case .broken: view.isBroken(entry)
        case .locked: entry.definition.metadata.isLocked
        case .restart: entry.definition.metadata.requiresRestart
        case .expired: view.isExpired(entry)
        case .stale: view.isStale(entry)
        case .retired: entry.definition.metadata.retired != nil
        case .undefined: !entry.isDefined
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
