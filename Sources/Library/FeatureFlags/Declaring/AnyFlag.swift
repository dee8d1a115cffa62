/// A declared flag, whatever the type of its value.
///
/// ```swift
/// for flag in manager.featureFlags where flag.isLocked {
///     print(flag.keyPath, flag.readableDataType, flag.explain().state.label)
/// }
/// ```
public protocol AnyFlag: Sendable {
    /// The key path under which providers keep the value.
    var keyPath: FlagKeyPath { get }

    /// The readable name: the metadata's, or one made from the property's (`newURLFormat` reads `New URL Format`).
    var name: String { get }

    /// The purpose of the flag.
    var description: String { get }

    /// The flag's metadata, completed from the groups around it.
    var metadata: FlagMetadata { get }

    /// Key path, type, default, suggestions, constraints and metadata, as in a manifest.
    var definition: FlagDefinition { get }

    /// The readable names of the groups around the flag, outermost first, including those that the key path skips.
    var groups: [String] { get }

    /// `true` if no tool may change the flag.
    var isLocked: Bool { get }

    /// The Swift type of the value; of an optional, the wrapped type.
    var dataType: Any.Type { get }

    /// The name of ``dataType``.
    var readableDataType: String { get }

    /// The types of providers that the flag is not read from.
    var excludedProviders: [any FlagsProviderConvertible.Type]? { get }

    /// The providers that the flag is read from, in order of precedence.
    var providers: [any FlagsProvider] { get }

    /// `true` if a tool may change the flag in some provider.
    var hasWritableProvider: Bool { get }

    /// The value when no provider holds one.
    var defaultFallbackValue: Any? { get }

    /// Returns the value.
    ///
    /// - Parameter providerType: The only type of provider to ask; `nil` for all in order.
    /// - Returns: The value.
    func anyValue(from providerType: (any FlagsProviderConvertible.Type)?) -> Any?

    /// Returns the value as text, and the provider that holds it.
    ///
    /// - Parameter providerType: The only type of provider to ask; `nil` for all in order.
    /// - Returns: The text; the provider is `nil` for a computed value and for the default.
    func valueDescription(from providerType: (any FlagsProviderConvertible.Type)?) -> (
        value: String, sourceProvider: (any FlagsProvider)?
    )

    /// Stores the current value in a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Throws: An error if the provider is read-only or can't store the value.
    func copyValue(to provider: any FlagsProvider) throws

    /// Changes the default.
    ///
    /// - Parameter value: The new default.
    /// - Throws: An error if the value is not of the flag's type.
    func setDefaultValue(_ value: Any) throws

    /// Explains the value.
    ///
    /// - Returns: Every provider's answer in order, the effective value and its source.
    func explain() -> FlagExplanation

    /// Stores or removes a value in its stored form.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - provider: The provider's name.
    /// - Throws: An error if the value is not of the flag's type, the provider is unknown or read-only, or it can't
    ///   store the value.
    func setStoredValue(_ value: FlagValue?, in provider: String) throws

    /// Removes the value from every writable provider that the flag does not exclude.
    ///
    /// - Throws: The first provider's error.
    func resetValue() throws

    /// `true` if the value changed since the flag was loaded and takes effect only at a restart.
    var awaitsRestart: Bool { get }

    /// Passes the flag, with the type of its value, to a visitor.
    ///
    /// - Parameter visitor: The visitor.
    func accept(_ visitor: inout some FlagVisitor)
}

extension Flag: AnyFlag {
    /// The readable name: the metadata's, or one made from the property's.
    public var name: String {
        metadata.name ?? declared.placement.map { FlagLabel.text(of: $0.propertyName) } ?? keyPath.readableName
    }

    /// The purpose of the flag.
    public var description: String { metadata.description }

    /// Key path, type, default, suggestions, constraints and metadata, as in a manifest.
    ///
    /// A default or suggestion without a stored form is left out. The type is ``FlagProtocol/flagType``, or that of the
    /// stored default if the two disagree. If neither is known, it is ``FlagType/json``, and a manifest leaves the flag
    /// out.
    public var definition: FlagDefinition {
        let stored = defaultValue.encodedIfStorable
        var metadata = metadata
        metadata.name = name
        let schema = schema(of: stored)
        let type = schema?.type ?? .json
        // A default in another layout means that the type has its own `encoded()`.
        let storage = stored.flatMap { FlagStorage(of: $0, as: type) } ?? Value.flagStorage
        return FlagDefinition(
            key: keyPath, type: type, defaultValue: stored,
            suggestions: declared.suggestions.compactMap(\.encodedIfStorable),
            constraints: schema?.constraints ?? FlagConstraints(), metadata: metadata,
            storage: type == Value.flagType && storage == Value.flagStorage ? storage : nil,
            isOptional: Value.self is any OptionalFlagValue.Type, computed: declared.computation,
            excludedProviders: declared.placement?.excludedProviders ?? declared.exclusion.names,
            group: declared.placement?.group)
    }

    /// `false` if ``definition`` falls back to ``FlagType/json``.
    package var hasKnownType: Bool { schema(of: defaultValue.encodedIfStorable) != nil }

    /// The reason why the default has no stored form; `nil` if it has one or is an optional's `nil`.
    package var defaultProblem: FlagValueError? { defaultValue.storageProblem }

    package var suggestionProblems: [FlagValueError] {
        declared.suggestions.compactMap { suggestion in
            suggestion.storageProblem
                ?? (suggestion.encodedIfStorable == nil ? FlagValueError("nil is not a value") : nil)
        }
    }

    /// `nil` if neither the type nor the default says how values are stored.
    private func schema(of stored: FlagValue?) -> FlagSchema? {
        let schema = declared.schema(storedDefault: stored)
        guard let stored else { return schema.type == nil ? nil : schema }
        return schema.type != nil && schema.converted(stored) != nil
            ? schema : FlagSchema(type: FlagType(inferredFrom: stored))
    }

    /// The readable names of the groups around the flag, outermost first.
    public var groups: [String] { declared.placement?.groups ?? [] }

    /// `true` if no tool may change the flag.
    public var isLocked: Bool { metadata.isLocked }

    /// The Swift type of the value; of an optional, the wrapped type.
    public var dataType: Any.Type { (Value.self as? any OptionalFlagValue.Type)?.wrappedType ?? Value.self }

    /// The name of ``dataType``.
    public var readableDataType: String { "\(dataType)" }

    /// `true` if a tool may change the flag in some provider.
    public var hasWritableProvider: Bool { !isLocked && providers.contains(where: \.isWritable) }

    /// The value when no provider holds one.
    public var defaultFallbackValue: Any? { defaultValue }

    /// Returns the value.
    public func anyValue(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> Any? {
        flagValue(from: providerType).value
    }

    /// Returns the value as text, and the provider that holds it.
    public func valueDescription(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> (
        value: String, sourceProvider: (any FlagsProvider)?
    ) {
        let (value, source) = flagValue(from: providerType)
        return ((value ?? defaultValue).shownText, source)
    }

    /// Stores the current value in a provider.
    public func copyValue(to provider: any FlagsProvider) throws {
        try store(wrappedValue, in: provider)
    }

    /// Changes the default.
    public func setDefaultValue(_ value: Any) throws {
        guard let value = value as? Value else {
            throw FlagValueError("the default of \(keyPath.text) is a \(Value.self), not a \(type(of: value))")
        }
        setDefault(value)
    }

    /// Stores or removes a value in its stored form.
    public func setStoredValue(_ value: FlagValue?, in provider: String) throws {
        guard let value else { return try set(nil, in: provider) }
        try set(try Value.decode(value), in: provider)
    }
}

extension Flag {
    /// `true` if the value changed since the flag was loaded and takes effect only at a restart.
    public var awaitsRestart: Bool {
        guard metadata.requiresRestart, case .some(let before) = declared.valueWhenPlaced else { return false }
        return before != explain().resolution.effectiveValue
    }

    /// Passes the flag, with the type of its value, to a visitor.
    public func accept(_ visitor: inout some FlagVisitor) { visitor.visit(self) }
}

extension Flag: FlagCollectionMember {
    func place(_ name: String, below group: FlagGroupPath, source: FlagSource) -> [FlagTree] {
        let component = declared.fixedKey ?? source.keyConfiguration.keyTransform.component(for: name)
        let fixed = declared.fixedKeyPath.map { source.whole($0) }
        let placement = FlagPlacement(
            keyPath: fixed ?? source.keyPath(group.components + [component]), propertyName: name, groups: group.labels,
            group: group.shown(in: source, around: fixed), groupMetadata: group.metadata, source: source,
            exclusion: declared.exclusion, ways: group.ways)
        if declared.place(placement) { rememberValue() }
        return [.flag(self)]
    }

    var memberFlags: [any AnyFlag] { [self] }

    func names(to flag: ObjectIdentifier) -> [String]? { id == flag ? [] : nil }

    /// Remembers the value for ``awaitsRestart`` once the flag is placed.
    func rememberValue() {
        declared.checkDefault()
        declared.checkKey()
        declared.checkProvider()
        if metadata.requiresRestart { declared.remember(explain().resolution.effectiveValue) }
    }
}
