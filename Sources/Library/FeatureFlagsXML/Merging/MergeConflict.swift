import FeatureFlags

/// A place that two versions of a file changed, each in another way.
package struct MergeConflict: Hashable, Sendable {
    /// Where.
    package let place: FlagPlace
    /// What stood there before both; `nil` where nothing did.
    package let base: FlagValue?
    /// What stands there in the version that is merged into; it stays.
    package let ours: FlagValue?
    /// What stands there in the version that is merged.
    package let theirs: FlagValue?
}
