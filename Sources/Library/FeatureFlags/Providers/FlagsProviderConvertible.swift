/// A source of flags: a provider, or a `UserDefaults`, which is taken as one.
///
/// ```swift
/// let manager = FlagsManager(providers: [local, UserDefaults.standard])
/// let second: any FlagsProvider = UserDefaults.standard.flagsProvider
/// ```
///
/// ``FlagsLoader`` and ``FlagsManager`` take lists of such, and ``Flag`` lists of their types, so that `UserDefaults` and its
/// subclasses, which Foundation does not let conform to ``FlagsProvider``, stand in lists as they do with RealFlags.
public protocol FlagsProviderConvertible: SendableMetatype {
    /// The provider.
    var flagsProvider: any FlagsProvider { get }
}

extension FlagsProvider {
    /// The provider itself.
    public var flagsProvider: any FlagsProvider { self }
}

extension FlagsProvider {
    /// Whether the provider, or the `UserDefaults` that it reads, is of exactly one of some types.
    func isOfType(in types: [any FlagsProviderConvertible.Type]) -> Bool {
        let own: [Any.Type] =
            [type(of: self)] + ((self as? UserDefaultsProvider).map { [$0.userDefaultsType] } ?? [])
        return types.contains { type in own.contains { $0 == type } }
    }
}
