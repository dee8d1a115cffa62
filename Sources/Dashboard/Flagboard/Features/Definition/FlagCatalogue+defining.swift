import FeatureFlags
import FlagChanges

extension FlagCatalogue {
    /// Which flag stands in the way of a new one, as a sentence.
    ///
    /// It says more than the service, which must not tell of flags that can't be seen.
    ///
    /// - Returns: `nil` where no flag that can be seen does.
    func fileProblem(toDefining key: FlagKeyPath) -> String? {
        if let same = defined(key) {
            return "The flag “\(same.definition.shownName)” has this key path already. Choose another."
        }
        if let around = key.ancestors.lazy.compactMap(defined).first {
            return "\(around.key.shownText) is a flag, so no other flag can be inside it. Choose another key path."
        }
        guard entries.contains(where: { $0.isDefined && $0.key.ancestors.contains(key) }) else { return nil }
        return
            "\(key.shownText) is a group of flags. Add a name, such as \(key.appending("new_flag").shownText)."
    }

    private func defined(_ key: FlagKeyPath) -> FlagEntry? {
        self[key].flatMap { $0.isDefined ? $0 : nil }
    }
}
