import FeatureFlags
import FeatureFlagsXML

/// The rules of the environments that changes are made in.
package struct EnvironmentCheck: Sendable {
    private let localName: String
    /// The rules besides those of the manifest.
    private let own: EnvironmentRules
    private let manifest: FlagManifest?

    /// `own` are rules of the main file's environment, called `localName`; `manifest` may add more.
    init(localName: String, own: EnvironmentRules, manifest: FlagManifest?) {
        (self.localName, self.own, self.manifest) = (localName, own, manifest)
    }

    init(_ context: ChangeContext, _ workspace: Workspace) {
        self.init(localName: context.files.localName, own: context.options.rules, manifest: workspace.definitions)
    }

    /// `nil` means definitions, and so the main file's environment.
    package func environment(of provider: String?) -> (name: String, rules: EnvironmentRules) {
        let name = provider ?? localName
        let rules = manifest?.rules(of: name) ?? .none
        return (name, name == localName ? rules.joined(with: own) : rules)
    }

    /// Returns the refusal by the rules of any environment that the edits reach: a renaming may reach several.
    func refusal(of change: Change, making edits: [PlannedEdit], by author: ChangeAuthor) -> ChangeError? {
        Set(edits.map { $0.provider ?? localName }).sorted().lazy
            .compactMap { refusal(of: change, in: $0, by: author) }.first
    }

    func refusal(of change: Change, in name: String, by author: ChangeAuthor) -> ChangeError? {
        let (name, rules) = environment(of: name)
        let isConfirmed = !rules.confirmsChanges || author.confirmedEnvironments.contains(name)
        if rules.requiresReason, change.reason.allSatisfy(\.isWhitespace) {
            return .reasonRequired(change.key, in: name, isConfirmed: isConfirmed)
        }
        return isConfirmed ? nil : .confirmationRequired(change.key, in: name)
    }
}
