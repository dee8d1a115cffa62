import FeatureFlags
import FlagHistory
import Foundation

extension Workspace {
    /// What the history must not show: everything about the internal flags, unless they may be seen.
    func hiddenKeys(_ catalogue: FlagCatalogue, showsInternal: Bool) -> HiddenKeys {
        let hidden = hiddenFlags(showsInternal: showsInternal)
        let groups = Set(hidden.flatMap(\.ancestors)).filter { group in
            !catalogue.entries.contains {
                $0.key.components.count > group.components.count && $0.key.isInside(group)
            }
        }
        return HiddenKeys(flags: hidden, groups: groups)
    }
}
