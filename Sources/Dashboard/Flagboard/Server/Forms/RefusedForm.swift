import FeatureFlags

/// A form that was refused where its own page can't be shown, so that what was typed must stand on another.
struct RefusedForm: Error {
    /// Why.
    let cause: any Error
    /// The flag that it is about; `nil` for one that is yet to be defined.
    let key: FlagKeyPath?
    let typed: [TypedValue]
}
