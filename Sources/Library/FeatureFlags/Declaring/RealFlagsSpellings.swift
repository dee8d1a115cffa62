// RealFlags' names for what has another name here, so that programs written for it compile.

extension AnyFlag {
    /// ``anyValue(from:)``.
    @available(*, deprecated, renamed: "anyValue(from:)")
    public func getValueForFlag(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> Any? {
        anyValue(from: providerType)
    }

    /// ``valueDescription(from:)``.
    @available(*, deprecated, renamed: "valueDescription(from:)")
    public func getValueDescriptionForFlag(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> (
        value: String, sourceProvider: (any FlagsProvider)?
    ) {
        valueDescription(from: providerType)
    }

    /// ``copyValue(to:)``.
    @available(*, deprecated, renamed: "copyValue(to:)")
    public func setValueToProvider(_ provider: any FlagsProvider) throws { try copyValue(to: provider) }

    /// ``isLocked``.
    @available(*, deprecated, renamed: "isLocked")
    public var isUILocked: Bool { isLocked }
}

extension FlagsProvider {
    /// ``lastGoodValue(of:at:)``.
    @available(
        *, deprecated, renamed: "lastGoodValue(at:)",
        message: "use lastGoodValue(at:), or value(of:at:), which throws for a broken value"
    )
    public func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { lastGoodValue(at: key) }

    /// ``resetValue(at:)``.
    @available(*, deprecated, renamed: "resetValue(at:)")
    public func resetValueForFlag(key: FlagKeyPath) throws { try resetValue(at: key) }

    /// ``updates``.
    @available(*, deprecated, message: "use the property updates")
    public func didUpdateValueForKey() -> AsyncStream<FlagUpdate>? { updates }
}

extension FlagKeyPath {
    /// ``defaultPathSeparator``.
    @available(*, deprecated, renamed: "defaultPathSeparator")
    public static var DefaultPathSeparator: String { defaultPathSeparator }

    /// ``flatKey``.
    @available(*, deprecated, renamed: "flatKey", message: "use flatKey, or text for the form in pages and files")
    public var fullPath: String { flatKey }

    /// ``components``.
    @available(*, deprecated, renamed: "components")
    public var pathComponents: [String] { components }

    /// The first of the ``components``.
    @available(*, deprecated, message: "use components.first")
    public var first: String? { components.first }

    /// ``leaf``.
    @available(*, deprecated, renamed: "leaf")
    public var last: String? { leaf }

    /// The number of ``components``.
    @available(*, deprecated, message: "use components.count")
    public var count: Int { components.count }

    /// One of the ``components``; `nil` past the last.
    @available(*, deprecated, message: "use components")
    public subscript(_ index: Int) -> String? {
        components.indices.contains(index) ? components[index] : nil
    }
}

extension KeyConfiguration {
    /// ``prefix``.
    @available(*, deprecated, renamed: "prefix")
    public var globalPrefix: String? { prefix }
}

/// ``FlagValue``.
@available(*, deprecated, renamed: "FlagValue")
public typealias EncodedFlagValue = FlagValue

extension FlagValue {
    /// A double, for RealFlags' case of single precision.
    ///
    /// - Parameter value: The number.
    /// - Returns: The nearest double, which a property list stores.
    @available(*, deprecated, message: "a property list has only one kind of real number: use .double")
    public static func float(_ value: Float) -> FlagValue { .double(Double(value)) }
}

/// Override's name.
extension Flag where Value == Bool {
    /// ``isEnabled``.
    @available(*, deprecated, renamed: "isEnabled")
    public var enabled: Bool { isEnabled }
}
