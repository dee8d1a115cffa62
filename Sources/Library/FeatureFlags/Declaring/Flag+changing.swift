extension Flag {
    /// Sets or removes the value in several providers.
    ///
    /// A provider that refuses is reported (``FlagsLoader/diagnostics``); ``set(_:)`` throws instead.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held ones.
    ///   - types: The types of the providers to change; `nil` for every writable provider that the flag doesn't
    ///     exclude.
    /// - Returns: The providers that accepted the change.
    @discardableResult
    public func setValue(
        _ value: Value?, providers types: [any FlagsProviderConvertible.Type]? = nil
    ) -> [any FlagsProvider] {
        let targets =
            if let types {
                (declared.placement?.source.providers ?? []).filter { $0.isOfType(in: types) }
            } else {
                providers.filter(\.isWritable)
            }
        return setValue(value, in: targets)
    }

    /// Sets or removes the value in several providers, given by name.
    ///
    /// A provider that refuses, and an unknown name, are reported (``FlagsLoader/diagnostics``).
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held ones.
    ///   - names: The names of the providers to change.
    /// - Returns: The providers that accepted the change.
    @discardableResult @_disfavoredOverload
    public func setValue(_ value: Value?, providers names: [String]) -> [any FlagsProvider] {
        let providers = declared.placement?.source.providers ?? []
        let known = providers.map(\.name)
        for name in names where !known.contains(name) {
            report(FlagError(.unknownProvider(name, names: known)), name)
        }
        return setValue(value, in: providers.filter { names.contains($0.name) })
    }

    private func setValue(_ value: Value?, in providers: [any FlagsProvider]) -> [any FlagsProvider] {
        providers.filter { provider in
            do {
                try store(value, in: provider)
                return true
            } catch {
                report(error, provider.name)
                return false
            }
        }
    }

    /// Sets or removes the value in the first writable provider.
    ///
    /// - Parameter value: The new value; `nil` removes the held one.
    /// - Throws: An error if no provider is writable, or it can't store the value. Nothing changes then.
    public func set(_ value: Value?) throws {
        guard let provider = providers.first(where: \.isWritable) else {
            throw FlagError(.noWritableProvider(keyPath))
        }
        try store(value, in: provider)
    }

    /// Sets or removes the value in one provider.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - provider: The provider, which need not be one of the loader's.
    /// - Throws: An error if the provider is read-only or can't store the value. Nothing changes then.
    public func set(_ value: Value?, in provider: any FlagsProvider) throws { try store(value, in: provider) }

    /// Sets or removes the value in one provider.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - provider: The provider's name.
    /// - Throws: An error if the provider is unknown or read-only, or can't store the value. Nothing changes then.
    public func set(_ value: Value?, in provider: String) throws {
        let providers = declared.placement?.source.providers ?? []
        guard let target = providers.first(where: { $0.name == provider }) else {
            throw FlagError(.unknownProvider(provider, names: providers.map(\.name)))
        }
        try store(value, in: target)
    }

    /// Removes the value from every writable provider that the flag does not exclude.
    ///
    /// - Throws: The first provider's error, after all have been tried.
    public func resetValue() throws {
        var problems: [any Error] = []
        for provider in providers where provider.isWritable {
            do { try provider.resetValue(at: keyPath) } catch { problems.append(error) }
        }
        if let first = problems.first { throw first }
    }

    /// Changes the default.
    ///
    /// - Parameter value: The new default, which also replaces a dynamic one.
    public func setDefault(_ value: Value) {
        declared.setDefault(value)
    }

    func store(_ value: Value?, in provider: any FlagsProvider) throws {
        guard try provider.setValue(value, forFlag: keyPath) else {
            try provider.checkWritable()
            throw FlagError(.notTaken(provider: provider.name, value: nil))
        }
        declared.placement?.source.diagnostics.clear(.refusedChange, of: keyPath, in: provider.name)
    }

    private func report(_ error: any Error, _ provider: String) {
        declared.placement?.source.diagnostics.report(
            FlagDiagnostic(
                flag: keyPath, provider: provider, kind: .refusedChange, problem: FlagValueError("\(error)")))
    }
}

/// The state that a Boolean flag is forced to, as in Override.
///
/// ```swift
/// flags.$quickCheckout.override = .enabled
/// try flags.$quickCheckout.setOverride(.featureDefault)
/// ```
public enum FeatureOverride: String, CaseIterable, Hashable, Sendable {
    /// Not forced: the default is in force.
    case featureDefault
    /// On, whatever the default.
    case enabled
    /// Off, whatever the default.
    case disabled
}

extension Flag where Value == Bool {
    /// `true` if the flag is on.
    public var isEnabled: Bool { wrappedValue }

    /// The state that an override forces the flag to (``FlagsProvider/isOverride(at:)``).
    ///
    /// Setting it changes the first writable provider; `featureDefault` resets all of them. A refused change is
    /// reported (``FlagsLoader/diagnostics``); ``setOverride(_:)`` throws instead.
    public var override: FeatureOverride {
        get {
            switch flagValue(fallback: false) {
            case (true?, let source?) where source.isOverride(at: keyPath): .enabled
            case (false?, let source?) where source.isOverride(at: keyPath): .disabled
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

    /// Forces the flag on or off in the first writable provider, or resets it in all of them.
    ///
    /// - Parameter override: The new state.
    /// - Throws: An error if no provider is writable or the change can't be stored.
    public func setOverride(_ override: FeatureOverride) throws {
        try override == .featureDefault ? resetValue() : set(override == .enabled)
    }
}
