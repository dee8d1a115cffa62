import FeatureFlags

/// The conditions for changes in an environment, such as `Production`.
package struct EnvironmentRules: Hashable, Sendable {
    /// True if a change must say why it is made.
    package var requiresReason: Bool
    /// True if a change must name the environment that it is made in.
    package var confirmsChanges: Bool

    package init(requiresReason: Bool = false, confirmsChanges: Bool = false) {
        self.requiresReason = requiresReason
        self.confirmsChanges = confirmsChanges
    }

    package static let none = EnvironmentRules()

    /// Returns the stricter of two rules.
    package func joined(with other: EnvironmentRules) -> EnvironmentRules {
        EnvironmentRules(
            requiresReason: requiresReason || other.requiresReason,
            confirmsChanges: confirmsChanges || other.confirmsChanges)
    }
}

extension FlagManifest {
    /// Returns the rules of an environment, from `environments` of the manifest.
    package func rules(of environment: String) -> EnvironmentRules {
        let entry = document.node(at: [.key(ManifestField.environments.rawValue), .key(environment)])?.value
        guard case .dictionary(let fields)? = entry else { return .none }
        return EnvironmentRules(
            requiresReason: fields[ManifestField.requiresReason.rawValue] == .bool(true),
            confirmsChanges: fields[ManifestField.confirmsChanges.rawValue] == .bool(true))
    }
}
