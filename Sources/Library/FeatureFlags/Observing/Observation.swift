/// A registration for changes, until it is ended.
struct Observation: Sendable {
    /// Ends the registration.
    let end: @Sendable () -> Void
}
