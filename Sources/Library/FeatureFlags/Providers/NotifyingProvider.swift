/// A provider that reports changes although it has no ``FlagsProvider/store``.
protocol NotifyingProvider: FlagsProvider {
    /// The stores whose changes may be changes of the provider's values.
    var notices: [FlagValueStore] { get }
}

extension FlagsProvider {
    /// The stores that an observer of the provider's values follows.
    var observedStores: [FlagValueStore] {
        if let store { [store] } else { (self as? any NotifyingProvider)?.notices ?? [] }
    }
}

extension UserDefaultsProvider: NotifyingProvider {}

extension ReadOnlyProvider: NotifyingProvider {
    var notices: [FlagValueStore] { wrapped.observedStores }
}

extension OverridableProvider: NotifyingProvider {
    var notices: [FlagValueStore] { override.observedStores + provider.observedStores }
}
