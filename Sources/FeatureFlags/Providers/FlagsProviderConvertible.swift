/// Something to read flags from: a provider, or what stands for one.
///
/// ``FlagsLoader`` and ``FlagsManager`` take lists of such, so that `UserDefaults.standard`, which Foundation does not let
/// conform to ``FlagsProvider``, stands in a list as it does with RealFlags.
public protocol FlagsProviderConvertible {
    /// The provider.
    var flagsProvider: any FlagsProvider { get }
}

extension FlagsProvider {
    /// The provider itself.
    public var flagsProvider: any FlagsProvider { self }
}
