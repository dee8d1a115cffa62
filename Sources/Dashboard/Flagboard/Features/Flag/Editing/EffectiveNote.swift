import FeatureFlags
import FlagChanges

/// What the app gets once a provider holds something else, where that is not what the provider holds.
enum EffectiveNote {
    /// What to say.
    ///
    /// - Parameter held: What each provider holds then that is changed together with it; `nil` for nothing.
    /// - Returns: A sentence; `nil` where the provider's value is the effective one then, as anybody would think.
    static func text(_ entry: FlagEntry, changing provider: String, amid held: [String: FlagValue?]) -> String? {
        guard entry.resolution.asks(provider) else { return nil }
        let then = held.reduce(entry.resolution) { resolution, change in
            entry.definition.resolution(after: resolution, changing: change.key, to: change.value)
        }
        guard then.source != .provider(provider) else { return nil }
        guard let value = then.effectiveValue else { return "The flag then has no value, since it has no default." }
        let verb = value == entry.resolution.effectiveValue ? "stays" : "is then"
        let source = then.source == .defaultValue ? "its default" : then.source.words
        return "The effective value \(verb) \(ShownValue(value, limit: 60).inSentence), from \(source)."
    }
}
