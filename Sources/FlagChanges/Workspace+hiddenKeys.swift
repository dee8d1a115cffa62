import FeatureFlags
import FlagHistory
import Foundation

extension Workspace {
    /// What the history must not show: everything about the internal flags, unless they may be seen.
    func hiddenKeys(_ catalogue: FlagCatalogue, showsInternal: Bool) -> HiddenKeys {
        let hidden = hiddenFlags(showsInternal: showsInternal)
        return HiddenKeys(
            flags: hidden,
            groups: Set(hidden.flatMap(\.ancestors)).subtracting(catalogue.entries.flatMap(\.key.ancestors)))
    }
}
