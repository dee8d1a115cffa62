import FeatureFlags

extension FlagManifestReader {
    /// Notes what is wrong with the rules, which ``FlagManifest/rules(of:)`` reads.
    mutating func readEnvironments(_ environments: FlagValue?) {
        guard let environments else { return }
        let path: [PathStep] = [.key(ManifestField.environments.rawValue)]
        guard case .dictionary(let all) = environments else {
            return note(
                path, nil, .environments,
                "found \(environments.briefDescription), expected a dictionary of environments")
        }
        for (name, rules) in all.sorted(by: { $0.key < $1.key }) {
            let path = path + [.key(name)]
            guard case .dictionary(let fields) = rules else {
                note(path, name, nil, "found \(rules.briefDescription), expected a dictionary of rules")
                continue
            }
            for field in ManifestField.Place.environment.fields {
                guard let rule = fields[field.rawValue] else { continue }
                if case .bool = rule { continue }
                note(
                    path + [.key(field.rawValue)], name, field,
                    "found \(rule.briefDescription), expected true or false")
            }
        }
    }
}
