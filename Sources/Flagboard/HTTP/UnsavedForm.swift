import FeatureFlags

/// A form that was refused where its own page can't be shown, so that what was typed must stand on another.
struct UnsavedForm: Error {
    /// Why.
    let cause: any Error
    let key: FlagKeyPath
    let edit: FlagEdit
}
