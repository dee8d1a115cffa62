import FeatureFlags
import FlagChanges

/// What each flag is in each environment: what the environment's own file holds for it, else its default.
struct EnvironmentMatrix: Sendable {
    /// One flag in all environments.
    struct Row: Sendable {
        let entry: FlagEntry
        /// What it is in each, in their order.
        let outcomes: [FlagResolution.Answer]
        /// Whether it is something else there than in the one that it is held against.
        let differs: [Bool]

        var isDifferent: Bool { differs.contains(true) }
    }

    /// The environments: the files of values.
    let environments: [ProviderSummary]
    /// The flags that the search finds.
    let found: [Row]

    /// The environments of a dashboard.
    static func environments(_ catalogue: FlagCatalogue) -> [ProviderSummary] {
        catalogue.providers.filter(\.isFile)
    }

    /// Sets flags side by side.
    init(_ view: CatalogueView, _ filter: EnvironmentFilter) {
        environments = Self.environments(view.catalogue)
        let names = environments.map(\.name)
        let base = names.firstIndex(of: filter.base)
        let isKnown = names.map { !view.status.unreadable.contains($0) }
        found = FlagFilter(text: filter.text).entries(of: view).map { entry in
            let outcomes = names.map { Self.outcome(of: entry, in: $0) }
            let differs = names.indices.map { place in
                // Of a file that can't be read, it is not known what differs.
                guard let base, place != base, isKnown[place], isKnown[base] else { return false }
                return Difference(outcomes[base], outcomes[place], of: entry.definition).isDifferent
            }
            return Row(entry: entry, outcomes: outcomes, differs: differs)
        }
    }

    /// What a flag is in an environment: the value of its file, else the default; what is broken is told as it is.
    private static func outcome(of entry: FlagEntry, in environment: String) -> FlagResolution.Answer {
        let answer = entry.resolution[environment] ?? .absent
        guard answer == .absent, let fallback = entry.definition.defaultValue else { return answer }
        return .value(fallback, stored: fallback)
    }

    /// The flags that are not the same in two environments.
    func differing(_ source: String, _ target: String) -> [Row] {
        let names = environments.map(\.name)
        guard let left = names.firstIndex(of: source), let right = names.firstIndex(of: target) else { return [] }
        return found.filter { Difference($0.outcomes[left], $0.outcomes[right], of: $0.entry.definition).isDifferent }
    }
}
