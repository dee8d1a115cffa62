/// Cases of RealFlags' `EncodedFlagValue` that a property list doesn't tell apart from others.
extension FlagValue {
    /// A number, by RealFlags' name for one of single precision.
    ///
    /// - Parameter value: The number.
    /// - Returns: The nearest double, which a property list stores.
    @available(*, deprecated, message: "A property list knows one kind of real: use .double")
    public static func float(_ value: Float) -> FlagValue { .double(Double(value)) }
}
