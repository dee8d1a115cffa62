import FeatureFlags
import FlagChanges

/// What the app gets once a provider holds something else, where that is not what the provider holds.
enum EffectiveNote {
    /// What to say.
    ///
    /// - Parameters:
    ///   - entry: The flag as it is.
    ///   - provider: The provider that is changed.
    ///   - stored: What it holds then; `nil` for nothing.
    /// - Returns: A sentence; `nil` where the provider's value is the effective one then, as anybody would think.
    static func text(_ entry: FlagEntry, changing provider: String, to stored: FlagValue?) -> String? {
        let then = entry.definition.resolution(after: entry.resolution, changing: provider, to: stored)
        guard then.source != .provider(provider) else { return nil }
        guard let value = then.effectiveValue else { return "The flag has no value then, since it has no default." }
        let verb = value == entry.resolution.effectiveValue ? "stays" : "is then"
        let source = then.source == .defaultValue ? "its default" : then.source.words
        return "The effective value \(verb) \(ShownValue(value, limit: 60).inSentence), from \(source)."
    }
}
