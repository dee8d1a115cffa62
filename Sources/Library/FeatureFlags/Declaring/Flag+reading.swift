extension Flag {
    /// The key path under which providers keep the value; outside a loader, the declared key path, key or name.
    public var keyPath: FlagKeyPath {
        declared.placement?.keyPath ?? declared.fixedKeyPath
            ?? FlagKeyPath(components: [declared.fixedKey ?? declared.metadata.name ?? "(not loaded)"])
    }

    /// The flag's metadata, completed from the groups around it.
    public var metadata: FlagMetadata {
        var metadata = declared.metadata
        if let placement = declared.placement { metadata.inherit(from: placement.groupMetadata) }
        return metadata
    }

    /// The value when no provider holds one; a dynamic default is computed now.
    public var defaultValue: Value { declared.defaultValue }

    /// Computes a value that takes precedence over all providers.
    public var computedValue: (@Sendable () -> Value?)? { declared.computedValue }

    /// The types of providers that the flag is not read from.
    public var excludedProviders: [any FlagsProviderConvertible.Type]? {
        declared.exclusion.types.isEmpty ? nil : declared.exclusion.types
    }

    /// The providers that the flag is read from, in order of precedence.
    public var providers: [any FlagsProvider] { declared.placement?.providers ?? [] }

    /// Returns the value and its source.
    ///
    /// - Parameters:
    ///   - providerType: The only type of provider to ask; `nil` asks the computed value and then all providers in
    ///     order.
    ///   - fallback: `true` to return the default when no provider holds a value.
    /// - Returns: The value, `nil` only without a fallback; and its provider, `nil` for a computed value and the
    ///   default.
    public func flagValue(from providerType: (any FlagsProviderConvertible.Type)? = nil, fallback: Bool = true) -> (
        value: Value?, source: (any FlagsProvider)?
    ) {
        guard let providerType else {
            if let value = FlagOverrides.value(for: declared) { return (value, nil) }
            if let value = declared.computedValue?() { return (value, nil) }
            return first(of: providers, fallback: fallback)
        }
        return first(of: providers.filter { $0.isOfType(in: [providerType]) }, fallback: fallback)
    }

    /// Returns the value that one provider holds, and its source.
    ///
    /// - Parameters:
    ///   - provider: The provider's name, which distinguishes two of one type.
    ///   - fallback: `true` to return the default when the provider holds no value.
    /// - Returns: The value, `nil` only without a fallback; and the provider that holds it.
    public func flagValue(from provider: String, fallback: Bool = true) -> (
        value: Value?, source: (any FlagsProvider)?
    ) {
        first(of: providers.filter { $0.name == provider }, fallback: fallback)
    }

    /// Explains the value: each provider's answer, the winner, and the reason.
    ///
    /// - Returns: Every provider's answer in order, the effective value and its source.
    public func explain() -> FlagExplanation {
        let readings = providers.map { reading(of: $0) }
        let conditions = providers.compactMap { provider in provider.condition.map { (provider.name, $0) } }
        let resolution = resolution(readings)
        return FlagExplanation(
            definition: definition, resolution: resolution,
            conditions: Dictionary(conditions) { first, _ in first },
            askedAtEachRead: askedAtEachRead(resolution.source))
    }

    /// `true` if the value is an override (``FlagsProvider/isOverride(at:)``), even if it equals the default.
    public var isOverridden: Bool { flagValue(fallback: false).source?.isOverride(at: keyPath) ?? false }

    private func askedAtEachRead(_ source: FlagResolution.Source) -> [String] {
        var asked = declared.computedValue == nil ? [] : ["computedValue"]
        if source == .computed { return asked }
        let list = declared.placement?.source.list
        let isByDefault = source == .defaultValue && declared.hasDynamicDefault
        // Of a dynamic list, neither the absence of values nor those of structures are remembered.
        let isForgotten = list?.isDynamic == true && (isByDefault || list?.areObjects == false)
        if list?.isDynamic == true { asked.append("dynamicProviders") }
        for (provider, isSteady) in zip(list?.providers ?? [], list?.areSteady ?? [])
        where declared.placement?.isRead(from: provider) == true {
            if !isSteady || isForgotten { asked.append(provider.name) }
            if source == .provider(provider.name) { return asked }
        }
        return asked + (declared.hasDynamicDefault ? ["dynamicDefault"] : [])
    }

    private func first(of providers: [any FlagsProvider], fallback: Bool) -> (
        value: Value?, source: (any FlagsProvider)?
    ) {
        for provider in providers {
            if let value = declared.value(in: provider) { return (value, provider) }
        }
        return (fallback ? defaultValue : nil, nil)
    }

    func reading(of provider: any FlagsProvider) -> FlagResolution.Reading {
        do throws(FlagValueError) {
            let value = try provider.value(of: Value.self, at: keyPath)
            declared.placement?.source.diagnostics.clear(.brokenValue, of: keyPath, in: provider.name)
            declared.remember(value, in: provider)
            guard let value else {
                return FlagResolution.Reading(provider: provider.name, answer: .absent, isOverride: false)
            }
            let encoded = try value.encoded()
            return FlagResolution.Reading(
                provider: provider.name, answer: .value(encoded, stored: provider.heldValue(at: keyPath) ?? encoded),
                isOverride: provider.isOverride(at: keyPath))
        } catch {
            return FlagResolution.Reading(
                provider: provider.name, answer: .broken(error, stored: provider.heldValue(at: keyPath)),
                lastGood: declared.lastGood(in: provider)?.encodedIfStorable,
                isOverride: provider.isOverride(at: keyPath))
        }
    }

    private func resolution(_ readings: [FlagResolution.Reading]) -> FlagResolution {
        if let value = FlagOverrides.value(for: declared) ?? declared.computedValue?() {
            return FlagResolution(readings: readings, effectiveValue: value.encodedIfStorable, source: .computed)
        }
        return FlagResolution(readings: readings, defaultValue: defaultValue.encodedIfStorable)
    }
}

extension FlagProtocol {
    /// The stored form; `nil` for an optional's `nil` and for a value without a stored form.
    var encodedIfStorable: FlagValue? {
        guard case .success(let stored) = reducedToStoredForm else { return nil }
        return stored
    }

    /// The reason why the value has no stored form; `nil` if it has one or is an optional's `nil`.
    var storageProblem: FlagValueError? {
        guard case .failure(let problem) = reducedToStoredForm else { return nil }
        return problem
    }

    /// The value as text, made from its stored form.
    ///
    /// A type's own description may trap, as that of a date that is not a number does.
    var shownText: String {
        switch reducedToStoredForm {
        case .success(let stored?): stored.shownText
        case .success(nil): "nil"
        case .failure(let problem): "a \(Self.self) that can't be stored: \(problem)"
        }
    }

    private var reducedToStoredForm: Result<FlagValue?, FlagValueError> {
        do throws(FlagValueError) { return .success(try Self.storedForm(of: self)) } catch { return .failure(error) }
    }
}
