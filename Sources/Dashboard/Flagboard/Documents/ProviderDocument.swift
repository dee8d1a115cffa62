import FeatureFlags
import FlagChanges
import Hummingbird

/// A provider as the API tells it.
struct ProviderDocument: JSONDocument {
    /// What sort of source a provider is.
    enum Kind: String, JSONWord {
        /// A property list that is served.
        case file
        /// What the app that the dashboard is part of holds elsewhere.
        case app
    }

    let name: String
    let kind: Kind
    /// Where its values come from.
    let source: String
    let isWritable: Bool
    /// Whether a read asks it; otherwise it holds the values of another environment.
    let isAsked: Bool
    /// How many flags it holds a value of, or something that is none.
    let count: Int
    /// Why its values can't be read now; left out where they can.
    let problem: String?
}

/// The providers, in order of precedence.
struct ProviderListDocument: JSONDocument {
    let providers: [ProviderDocument]

    init(_ catalogue: FlagCatalogue) {
        var counts: [String: Int] = [:]
        // The number of flags in each provider is kept nowhere.
        for entry in catalogue.entries {
            for reading in entry.resolution.readings where reading.answer != .absent {
                counts[reading.provider, default: 0] += 1
            }
        }
        providers = catalogue.providers.map { provider in
            ProviderDocument(
                name: provider.name, kind: provider.isFile ? .file : .app, source: provider.description,
                isWritable: provider.isWritable, isAsked: provider.isAsked, count: counts[provider.name] ?? 0,
                problem: provider.problem)
        }
    }
}
