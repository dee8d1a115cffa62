import FeatureFlags

/// A value as JSON tells it, `null` included; which flag it is for says what it stands for.
public struct JSONInput: Hashable, Sendable {
    /// The JSON.
    package let value: JSONValue

    /// Takes over JSON.
    package init(_ value: JSONValue) {
        self.value = value
    }

    /// Takes over what a property list stores, as JSON tells it.
    ///
    /// - Parameter value: The value.
    public init(_ value: FlagValue) {
        self.value = JSONValue(value)
    }

    /// Reads JSON text.
    ///
    /// - Parameter text: The text.
    /// - Throws: Where it stops being JSON.
    public init(_ text: String) throws(FlagValueError) {
        value = try FlagJSON.document(text)
    }

    /// The JSON as one value: as a property list stores it, or as text where that can't.
    package var described: FlagValue { value.stored ?? .string(FlagJSON.line(value)) }
}
