/// What a Boolean flag is forced to; Override's states.
///
/// ```swift
/// flags.$quickCheckout.override = .enabled
/// try flags.$quickCheckout.setOverride(.featureDefault)
/// ```
public enum FeatureOverride: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the default is in force.
    case featureDefault
    /// On, whatever the default.
    case enabled
    /// Off, whatever the default.
    case disabled
}

extension Flag where Value == Bool {
    /// Whether the flag is on.
    public var enabled: Bool { wrappedValue }

    /// What a provider forces the flag to.
    ///
    /// Setting it changes the first writable provider; `featureDefault` resets all of them. A change that is refused is
    /// reported (``FlagsLoader/diagnostics``); ``setOverride(_:)`` throws instead.
    public var override: FeatureOverride {
        get {
            switch flagValue(fallback: false) {
            case (true?, .some): .enabled
            case (false?, .some): .disabled
            default: .featureDefault
            }
        }
        nonmutating set {
            do {
                try setOverride(newValue)
                declared.placement?.source.diagnostics.clear(.refusedChange, of: keyPath, in: nil)
            } catch {
                declared.placement?.source.diagnostics.report(
                    FlagDiagnostic(
                        flag: keyPath, provider: nil, kind: .refusedChange, problem: FlagValueError("\(error)")))
            }
        }
    }

    /// Forces the flag on or off in the first writable provider, or lets go of it in all of them.
    ///
    /// - Parameter override: The new state.
    /// - Throws: Where no provider is writable, or why the change could not be stored.
    public func setOverride(_ override: FeatureOverride) throws {
        guard override != .featureDefault else { return try resetValue() }
        guard let provider = providers.first(where: \.isWritable) else {
            throw FlagError(.noWritableProvider(keyPath))
        }
        try store(override == .enabled, in: provider)
    }
}
