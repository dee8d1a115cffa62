import FeatureFlags

/// The conditions for changes in an environment, such as `Production`.
package struct EnvironmentRules: Hashable, Sendable {
    /// `true` if a change must have a reason.
    package var requiresReason: Bool
    /// `true` if a change must name the environment.
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
    package func rules(of environment: String) -> EnvironmentRules {
        let entry = document.node(at: [.key(ManifestField.environments.rawValue), .key(environment)])?.value
        guard case .dictionary(let fields)? = entry else { return .none }
        return EnvironmentRules(
            requiresReason: fields[ManifestField.requiresReason.rawValue] == .bool(true),
            confirmsChanges: fields[ManifestField.confirmsChanges.rawValue] == .bool(true))
    }
}
