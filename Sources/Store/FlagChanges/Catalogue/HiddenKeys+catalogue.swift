import FeatureFlags
import FlagHistory

extension HiddenKeys {
    /// What the history must not show: flags, and the groups that hold nothing besides them.
    init(_ flags: Set<FlagKeyPath>, besides catalogue: FlagCatalogue) {
        guard !flags.isEmpty else {
            self.init(flags: [])
            return
        }
        let groups = Set(flags.flatMap(\.ancestors))
        self.init(flags: flags, groups: groups.subtracting(catalogue.entries.lazy.flatMap(\.key.ancestors)))
    }
}
